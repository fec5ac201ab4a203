/* Pictures compared: PNG files that a browser wrote, as arrays of colours. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const { PNG } = createRequire(new URL("../../client/web/package.json", import.meta.url))("pngjs");

/** Pixels of a PNG: { width, height, rgb: [height][width][3] }. */
export function decodePng(bytes) {
    const { width, height, data } = PNG.sync.read(bytes);
    return { width, height, rgb: data.filter((_, i) => i % 4 < 3) };
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

/** The picture that is expected. TROUPE_EXPECT=write: the picture that is there becomes the expected one. */
export function expected(path, bytes) {
    if (process.env.TROUPE_EXPECT === "write") {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
    }
    if (!existsSync(path)) throw new Error(`${path} is not there: look at the new picture, then run again with TROUPE_EXPECT=write`);
    return readFileSync(path);
}
