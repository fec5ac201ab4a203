/* Rigid placements in flat arrays, without an object per body and frame. Quaternions are (w, x, y, z), as on the wire. */

type Numbers = ArrayLike<number>;

/** out[at..at+3] = the rotation between a and b at `share`: normalised linear blend along the shorter way. */
export function blendRotation(a: Numbers, b: Numbers, at: number, share: number, out: Float32Array): void {
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += a[at + k]! * b[at + k]!;
    const towards = dot < 0 ? -share : share;
    let square = 0;
    for (let k = 0; k < 4; k++) {
        const value = a[at + k]! * (1 - share) + b[at + k]! * towards;
        out[at + k] = value;
        square += value * value;
    }
    const scale = 1 / Math.sqrt(square || 1);
    for (let k = 0; k < 4; k++) out[at + k]! *= scale;
}

/** out = v turned by the rotation at q[at..]: v + 2 u x (u x v + w v) with q = (w, u). */
export function rotate(q: Numbers, at: number, v: Numbers, out: Float32Array): void {
    const w = q[at]!, x = q[at + 1]!, y = q[at + 2]!, z = q[at + 3]!;
    const a = v[0]!, b = v[1]!, c = v[2]!;
    const tx = y * c - z * b + w * a;
    const ty = z * a - x * c + w * b;
    const tz = x * b - y * a + w * c;
    out[0] = a + 2 * (y * tz - z * ty);
    out[1] = b + 2 * (z * tx - x * tz);
    out[2] = c + 2 * (x * ty - y * tx);
}

/** out = q[at..] * r */
export function multiplyRotation(q: Numbers, at: number, r: Numbers, out: Float32Array): void {
    const w = q[at]!, x = q[at + 1]!, y = q[at + 2]!, z = q[at + 3]!;
    const a = r[0]!, b = r[1]!, c = r[2]!, d = r[3]!;
    out[0] = w * a - x * b - y * c - z * d;
    out[1] = w * b + x * a + y * d - z * c;
    out[2] = w * c - x * d + y * a + z * b;
    out[3] = w * d + x * c - y * b + z * a;
}

/** A column-major 4x4 matrix at m[at..]. */
export function writeMatrix(m: Float32Array, at: number, pos: Numbers, q: Numbers): void {
    const w = q[0]!, x = q[1]!, y = q[2]!, z = q[3]!;
    m[at] = 1 - 2 * (y * y + z * z);
    m[at + 1] = 2 * (x * y + w * z);
    m[at + 2] = 2 * (x * z - w * y);
    m[at + 3] = 0;
    m[at + 4] = 2 * (x * y - w * z);
    m[at + 5] = 1 - 2 * (x * x + z * z);
    m[at + 6] = 2 * (y * z + w * x);
    m[at + 7] = 0;
    m[at + 8] = 2 * (x * z + w * y);
    m[at + 9] = 2 * (y * z - w * x);
    m[at + 10] = 1 - 2 * (x * x + y * y);
    m[at + 11] = 0;
    m[at + 12] = pos[0]!;
    m[at + 13] = pos[1]!;
    m[at + 14] = pos[2]!;
    m[at + 15] = 1;
}
