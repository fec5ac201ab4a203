/* Arrows for forces: one instanced mesh of shafts and one of heads for as many as there are. Heads keep their shape whatever the
 * length, so that a strong force is a long arrow and not a fat one. */
import { Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3, type BufferGeometry } from "three";

const CAPACITY = 256;
const UP = new Vector3(0, 0, 1);
const LENGTH_MIN_M = 0.02;
/** Of a head, in widths; a short arrow has a shorter one. */
const HEAD = { length: 3, radius: 1, ofArrowMax: 0.45 };

export class Arrows {
    readonly group = new Group();
    private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.92 });
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly direction = new Vector3();
    private readonly scale = new Vector3();
    private readonly at = new Vector3();

    /** overAll: drawn over whatever is before them. */
    constructor(private readonly width: number, overAll = false) {
        this.shafts = this.instanced(new CylinderGeometry(0.36, 0.3, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5));
        this.heads = this.instanced(new ConeGeometry(HEAD.radius, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5));
        this.material.depthTest = !overAll;
        this.group.renderOrder = this.shafts.renderOrder = this.heads.renderOrder = overAll ? 3 : 0;
    }

    recolor(color: Color): void {
        this.material.color.copy(color);
    }

    clear(): void {
        this.shafts.count = this.heads.count = 0;
    }

    /** From a point along a vector, both in metres; too short a one is left out. */
    add(pos: ArrayLike<number>, along: ArrayLike<number>): void {
        const length = Math.hypot(along[0]!, along[1]!, along[2]!);
        if (length < LENGTH_MIN_M || this.shafts.count >= CAPACITY) return;
        const head = Math.min(HEAD.length * this.width, HEAD.ofArrowMax * length);
        this.direction.set(along[0]! / length, along[1]! / length, along[2]! / length);
        this.turn.setFromUnitVectors(UP, this.direction);
        this.at.set(pos[0]!, pos[1]!, pos[2]!);
        this.put(this.shafts, length - head);
        this.at.addScaledVector(this.direction, length - head);
        this.put(this.heads, head);
    }

    private put(mesh: InstancedMesh, length: number): void {
        this.scale.set(this.width, this.width, length);
        this.matrix.compose(this.at, this.turn, this.scale);
        mesh.setMatrixAt(mesh.count++, this.matrix);
        mesh.instanceMatrix.needsUpdate = true;
    }

    private instanced(geometry: BufferGeometry): InstancedMesh {
        const mesh = new InstancedMesh(geometry, this.material, CAPACITY);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.frustumCulled = false;
        mesh.count = 0;
        this.group.add(mesh);
        return mesh;
    }
}
