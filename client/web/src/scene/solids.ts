/* Geometries of the collision shapes. Spheres and boxes are unit sized and scaled by their instances where that keeps their
 * look; rounded boxes and capsules are made to measure. */
import { CapsuleGeometry, CylinderGeometry, SphereGeometry, type BufferGeometry } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

const SPHERE_SEGMENTS = 24;
const CAPSULE_SEGMENTS = 18;
const ROUNDING_MAX_M = 0.035;

export type SolidKind = "sphere" | "capsule" | "box" | "cylinder";

/** size as in the schema's Geom: sphere radius; capsule and cylinder radius and half length along z; box half extents. */
export function solidGeometry(kind: SolidKind, [a, b, c]: readonly [number, number, number]): BufferGeometry {
    if (kind === "sphere") return new SphereGeometry(a, SPHERE_SEGMENTS, SPHERE_SEGMENTS * 0.75);
    if (kind === "capsule") return new CapsuleGeometry(a, 2 * b, 8, CAPSULE_SEGMENTS).rotateX(Math.PI / 2);
    if (kind === "cylinder") return new CylinderGeometry(a, a, 2 * b, 2 * CAPSULE_SEGMENTS).rotateX(Math.PI / 2);
    const radius = Math.min(ROUNDING_MAX_M, 0.6 * Math.min(a, b, c));
    return new RoundedBoxGeometry(2 * a, 2 * b, 2 * c, 3, radius);
}
