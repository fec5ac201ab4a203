/* SHA-256 and HMAC (FIPS 180-4, RFC 2104), for logins where the browser's own are not to be had: crypto.subtle is missing
 * from pages that came over plain HTTP from another machine. Short inputs only; no secret lengths. */

const ROUNDS = 64;
const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes: where the algorithm's constants come from. */
function primeRoots(count: number, root: number): Uint32Array {
    const out = new Uint32Array(count);
    for (let n = 2, found = 0; found < count; n++) {
        let prime = true;
        for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
        if (prime) out[found++] = fraction32(n, root);
    }
    return out;
}

/** floor(2^32 * frac(n^(1/root))), exact: the largest x with x^root <= n * 2^(32 root). */
function fraction32(n: number, root: number): number {
    const power = BigInt(root);
    const goal = BigInt(n) << (32n * power);
    let low = 0n;
    let high = 1n << 36n;
    while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (middle ** power <= goal) low = middle;
        else high = middle;
    }
    return Number(low & 0xffffffffn);
}

const K = primeRoots(ROUNDS, 3);
const START = primeRoots(8, 2);

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

function compress(state: Uint32Array, block: DataView, w: Uint32Array): void {
    for (let t = 0; t < 16; t++) w[t] = block.getUint32(4 * t);
    for (let t = 16; t < ROUNDS; t++) {
        const a = w[t - 15]!;
        const b = w[t - 2]!;
        const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
        w[t] = w[t - 16]! + s0 + w[t - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < ROUNDS; t++) {
        const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t]! + w[t]!;
        const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i]! += value));
}

export function sha256(data: Uint8Array): Uint8Array {
    const padded = new Uint8Array(BLOCK * Math.ceil((data.length + 9) / BLOCK));
    padded.set(data);
    padded[data.length] = 0x80;
    new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
    const state = START.slice();
    const w = new Uint32Array(ROUNDS);
    for (let at = 0; at < padded.length; at += BLOCK) compress(state, new DataView(padded.buffer, at, BLOCK), w);
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((value, i) => out.setUint32(4 * i, value));
    return new Uint8Array(out.buffer);
}

export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
    const short = key.length > BLOCK ? sha256(key) : key;
    const pad = (byte: number) => Uint8Array.from({ length: BLOCK }, (_, i) => (short[i] ?? 0) ^ byte);
    return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), data))));
}

export function joined(...parts: Uint8Array[]): Uint8Array {
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}
