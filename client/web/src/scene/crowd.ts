/* What draws all characters of one model: as a body (figure/troop.ts), as the shapes that are simulated (shapes.ts),
 * or in the user's own mesh (meshes.ts). */
import type { Color, Object3D } from "three";

export interface Crowd {
    readonly object: Object3D;
    /** Puts a character: pos [body][3], rot [body][4] (w, x, y, z), world. */
    place(instance: number, pos: Float32Array, rot: Float32Array): void;
    paintIn(instance: number, color: Color): void;
    /** All are placed, and there are so many. */
    finish(count: number): void;
    destroy(): void;
}
