/* Vectors and rotations as tuples. */
export type Vec = readonly [number, number, number];
/** (w, x, y, z) */
export type Rot = readonly [number, number, number, number];

export function plus(a: Vec, b: Vec): Vec {
    return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function minus(a: Vec, b: Vec): Vec {
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function multiply(a: Rot, b: Rot): Rot {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

export function inverse(a: Rot): Rot {
    return [a[0], -a[1], -a[2], -a[3]];
}

export function turn(q: Rot, v: Vec): Vec {
    const [, x, y, z] = multiply(multiply(q, [0, v[0], v[1], v[2]]), inverse(q));
    return [x, y, z];
}
