/* The shapes of a character, from the model's own MJCF file: its geoms, each fixed to a body. */

export interface Shape {
    kind: "sphere" | "capsule" | "box";
    /** Index of the body in every array of a CharacterState; -1 for shapes without a body. */
    body: number;
    bodyName: string;
    /** sphere: radius; capsule: radius, half length of its cylinder, along local z; box: half extents. */
    size: [number, number, number];
    /** In the body's frame. */
    pos: [number, number, number];
    /** w, x, y, z */
    rot: [number, number, number, number];
}

/** What a body is, where the model says so (MODELS.md, keys under custom). */
export type Role = "head" | "hand" | "foot" | "toe" | "trunk";

const ROLES: readonly Role[] = ["trunk", "head", "hand", "foot", "toe"];

function numbers(text: string | null, count: number): number[] | undefined {
    const list = text?.trim().split(/\s+/).map(Number);
    return list && list.length >= count && list.every(Number.isFinite) ? list : undefined;
}

/** The rotation that takes z to a direction: (1 + d.z, -d.y, d.x, 0), normalised. */
function alongZ(x: number, y: number, z: number): [number, number, number, number] {
    if (z < -1 + 1e-9) return [0, 1, 0, 0];
    const length = Math.hypot(1 + z, y, x);
    return [(1 + z) / length, -y / length, x / length, 0];
}

function readGeom(geom: Element, defaults: Element | null, body: number, bodyName: string): Shape | undefined {
    const attribute = (name: string) => geom.getAttribute(name) ?? defaults?.getAttribute(name) ?? null;
    const kind = attribute("type") ?? "sphere";
    if (kind !== "sphere" && kind !== "capsule" && kind !== "box") return undefined;
    const [a = 0.05, b = 0, c = 0] = numbers(attribute("size"), 1) ?? [];
    const [x = 0, y = 0, z = 0] = numbers(attribute("pos"), 3) ?? [];
    const [qw = 1, qx = 0, qy = 0, qz = 0] = numbers(attribute("quat"), 4) ?? [];
    const shape: Shape = { kind, body, bodyName, size: [a, b, c], pos: [x, y, z], rot: [qw, qx, qy, qz] };
    const ends = numbers(attribute("fromto"), 6);
    if (ends) {
        const [x0, y0, z0, x1, y1, z1] = ends as [number, number, number, number, number, number];
        const length = Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1;
        shape.pos = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
        shape.rot = alongZ((x1 - x0) / length, (y1 - y0) / length, (z1 - z0) / length);
        if (kind === "box") shape.size = [a, a, length / 2];
        else shape.size = [a, length / 2, 0];
    }
    return shape;
}

/** What is drawn of a model. */
export interface Drawing {
    shapes: Shape[];
    /** By index of body. */
    roles: Map<number, Role>;
}

/** bodies: names in the order of ModelDetail.bodies. Throws an Error on text that is not XML. */
export function readMjcf(mjcf: string, bodies: readonly string[]): Drawing {
    const document = new DOMParser().parseFromString(mjcf, "text/xml");
    if (document.querySelector("parsererror")) throw new Error("the model's file is not XML");
    return { shapes: shapesIn(document, bodies), roles: rolesIn(document, bodies) };
}

function rolesIn(document: Document, bodies: readonly string[]): Map<number, Role> {
    const roles = new Map<number, Role>();
    for (const role of ROLES) {
        const named = document.querySelector(`custom > text[name="${role}"]`)?.getAttribute("data") ?? "";
        for (const name of named.split(/[\s;]+/)) if (bodies.includes(name)) roles.set(bodies.indexOf(name), role);
    }
    return roles;
}

function shapesIn(document: Document, bodies: readonly string[]): Shape[] {
    const defaults = document.querySelector("mujoco > default > geom");
    const shapes: Shape[] = [];
    for (const geom of document.querySelectorAll("worldbody body > geom")) {
        const name = geom.parentElement!.getAttribute("name") ?? "";
        const shape = readGeom(geom, defaults, bodies.indexOf(name), name);
        if (shape && shape.body >= 0) shapes.push(shape);
    }
    return shapes;
}
