/* Characters as the shapes that are simulated: what touches what, exactly. An instanced mesh for each shape of the model. */
import { DynamicDrawUsage, Group, InstancedMesh, MeshLambertMaterial, type Color } from "three";
import type { Crowd } from "./crowd.js";
import type { Shape } from "./mjcf.js";
import { multiplyRotation, rotate, writeMatrix } from "./rigid.js";
import { solidGeometry } from "./solids.js";

export class Shapes implements Crowd {
    readonly object = new Group();
    private readonly meshes: InstancedMesh[];

    constructor(
        private readonly shapes: readonly Shape[],
        capacity: number,
    ) {
        this.meshes = shapes.map(({ kind, size }) => {
            const mesh = new InstancedMesh(solidGeometry(kind, size), new MeshLambertMaterial(), capacity);
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.castShadow = mesh.receiveShadow = true;
            mesh.frustumCulled = false;
            this.object.add(mesh);
            return mesh;
        });
    }

    place(instance: number, pos: Float32Array, rot: Float32Array): void {
        this.shapes.forEach((shape, i) => {
            const b = shape.body;
            rotate(rot, 4 * b, shape.pos, scratchPos);
            for (let k = 0; k < 3; k++) scratchPos[k]! += pos[3 * b + k]!;
            multiplyRotation(rot, 4 * b, shape.rot, scratchRot);
            writeMatrix(this.meshes[i]!.instanceMatrix.array as Float32Array, 16 * instance, scratchPos, scratchRot);
        });
    }

    paintIn(instance: number, color: Color): void {
        for (const mesh of this.meshes) {
            mesh.setColorAt(instance, color);
            mesh.instanceColor!.needsUpdate = true;
        }
    }

    finish(count: number): void {
        for (const mesh of this.meshes) {
            mesh.count = count;
            mesh.visible = count > 0;
            mesh.instanceMatrix.needsUpdate = true;
        }
    }

    destroy(): void {
        for (const mesh of this.meshes) mesh.dispose();
    }
}

const scratchPos = new Float32Array(3);
const scratchRot = new Float32Array(4);
