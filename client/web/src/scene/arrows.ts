/* Arrows for forces: one instanced mesh for as many as there are. */
import {
    BufferGeometry,
    Color,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    InstancedMesh,
    Matrix4,
    MeshBasicMaterial,
    Quaternion,
    Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const CAPACITY = 256;
const UP = new Vector3(0, 0, 1);
const LENGTH_MIN_M = 0.02;

/** Along z from the origin, of length and width 1. */
function arrowGeometry(): BufferGeometry {
    const shaft = new CylinderGeometry(0.3, 0.3, 0.72, 10).rotateX(Math.PI / 2).translate(0, 0, 0.36);
    const head = new ConeGeometry(0.8, 0.28, 14).rotateX(Math.PI / 2).translate(0, 0, 0.86);
    return mergeGeometries([shaft, head]);
}

export class Arrows {
    readonly mesh: InstancedMesh;
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly direction = new Vector3();
    private readonly scale = new Vector3();
    private readonly origin = new Vector3();

    constructor(private readonly width: number) {
        const material = new MeshBasicMaterial({ transparent: true, opacity: 0.9 });
        this.mesh = new InstancedMesh(arrowGeometry(), material, CAPACITY);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        this.mesh.count = 0;
    }

    recolor(color: Color): void {
        (this.mesh.material as MeshBasicMaterial).color.copy(color);
    }

    clear(): void {
        this.mesh.count = 0;
    }

    /** From a point along a vector, both in metres; too short a one is left out. */
    add(pos: ArrayLike<number>, along: ArrayLike<number>): void {
        const length = Math.hypot(along[0]!, along[1]!, along[2]!);
        if (length < LENGTH_MIN_M || this.mesh.count >= CAPACITY) return;
        this.direction.set(along[0]! / length, along[1]! / length, along[2]! / length);
        this.turn.setFromUnitVectors(UP, this.direction);
        this.scale.set(this.width, this.width, length);
        this.origin.set(pos[0]!, pos[1]!, pos[2]!);
        this.matrix.compose(this.origin, this.turn, this.scale);
        this.mesh.setMatrixAt(this.mesh.count++, this.matrix);
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}
