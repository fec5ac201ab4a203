/* Pictures compared: PNG files that a browser wrote, as arrays of colours. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inflateSync } from "node:zlib";

const SIGNATURE = 8;
const CHANNELS = { 2: 3, 6: 4 }; // by PNG's colour type

/** Pixels of a PNG of eight bits a channel, without interlace: { width, height, rgb: [height][width][3] }. */
export function decodePng(bytes) {
    const parts = [];
    let width = 0, height = 0, channels = 0;
    for (let at = SIGNATURE; at < bytes.length; ) {
        const length = bytes.readUInt32BE(at);
        const kind = bytes.toString("latin1", at + 4, at + 8);
        const data = bytes.subarray(at + 8, at + 8 + length);
        if (kind === "IHDR") [width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), CHANNELS[data[9]]];
        if (kind === "IDAT") parts.push(data);
        at += length + 12;
    }
    return { width, height, rgb: unfilter(inflateSync(Buffer.concat(parts)), width, height, channels) };
}

/** Undoes PNG's filters (PNG specification, 9.2), and leaves out alpha. */
function unfilter(raw, width, height, channels) {
    const stride = width * channels;
    const rows = Buffer.alloc(stride * height);
    const rgb = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (stride + 1)];
        for (let i = 0; i < stride; i++) {
            const a = i >= channels ? rows[y * stride + i - channels] : 0;
            const b = y > 0 ? rows[(y - 1) * stride + i] : 0;
            const c = i >= channels && y > 0 ? rows[(y - 1) * stride + i - channels] : 0;
            rows[y * stride + i] = raw[y * (stride + 1) + 1 + i] + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
        }
        for (let x = 0; x < width; x++) for (let k = 0; k < 3; k++) rgb[3 * (y * width + x) + k] = rows[y * stride + x * channels + k];
    }
    return rgb;
}

function paeth(a, b, c) {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Means over squares of `size` pixels: what is left does not change with the edges of letters and lines. */
function shrink({ width, height, rgb }, size) {
    const [w, h] = [Math.floor(width / size), Math.floor(height / size)];
    const out = new Float32Array(3 * w * h);
    for (let y = 0; y < h * size; y++)
        for (let x = 0; x < w * size; x++) {
            const at = 3 * (Math.floor(y / size) * w + Math.floor(x / size));
            for (let k = 0; k < 3; k++) out[at + k] += rgb[3 * (y * width + x) + k] / (size * size);
        }
    return out;
}

/** How two pictures differ, over squares of `size` pixels: the largest difference of a channel, and the share of squares that differ by
 * more than `tolerance` of 255. Undefined: they have another size. */
export function compare(a, b, size, tolerance) {
    if (a.width !== b.width || a.height !== b.height) return undefined;
    const [x, y] = [shrink(a, size), shrink(b, size)];
    let largest = 0, differing = 0;
    for (let i = 0; i < x.length; i += 3) {
        const difference = Math.max(...[0, 1, 2].map((k) => Math.abs(x[i + k] - y[i + k])));
        largest = Math.max(largest, difference);
        if (difference > tolerance) differing++;
    }
    return { largest, differing: differing / (x.length / 3) };
}

/** The picture that is expected. TROUPE_EXPECT=write: from now on the one that is there. */
export function expected(path, bytes) {
    if (process.env.TROUPE_EXPECT === "write") {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
    }
    if (!existsSync(path)) throw new Error(`${path} is not there: look at the new picture, then run again with TROUPE_EXPECT=write`);
    return readFileSync(path);
}
