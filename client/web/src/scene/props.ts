/* Free objects: their shapes come once, with STATE_FIELD_SHAPES; then they move. */
import { Group, Mesh, MeshLambertMaterial, type Color } from "three";
import { GeomKind, type Geom, type ObjectState, type WorldState } from "troupe-client";
import type { Sample } from "../state/playback.js";
import { blendRotation } from "./rigid.js";
import { solidGeometry, type SolidKind } from "./solids.js";

const KINDS: Partial<Record<GeomKind, SolidKind>> = {
    [GeomKind.SPHERE]: "sphere",
    [GeomKind.CAPSULE]: "capsule",
    [GeomKind.BOX]: "box",
    [GeomKind.CYLINDER]: "cylinder",
};

export class Props {
    readonly group = new Group();
    private readonly objects = new Map<number, Group>();
    private readonly material = new MeshLambertMaterial();
    private readonly rot = new Float32Array(4);

    recolor(color: Color): void {
        this.material.color.copy(color);
    }

    /** Objects of this state whose shapes are not known yet. */
    lacksShapes(state: WorldState): boolean {
        return state.objects.some((object) => !this.objects.has(object.entity));
    }

    /** Takes the shapes out of a state that has them. */
    learn(state: WorldState): void {
        for (const object of state.objects) if (!this.objects.has(object.entity)) this.objects.set(object.entity, this.build(object));
    }

    update(sample: Sample): void {
        const there = new Set<number>();
        sample.from.objects.forEach((from, i) => {
            there.add(from.entity);
            let to = sample.to.objects[i];
            if (to?.entity !== from.entity) to = sample.to.objects.find((each) => each.entity === from.entity) ?? from;
            this.move(from, to, sample.share);
        });
        for (const [entity, group] of this.objects)
            if (!there.has(entity)) {
                this.group.remove(group);
                this.objects.delete(entity);
            }
    }

    private move(from: ObjectState, to: ObjectState, share: number): void {
        const group = this.objects.get(from.entity);
        if (group === undefined) return;
        const mix = (k: number) => from.pos[k]! + (to.pos[k]! - from.pos[k]!) * share;
        group.position.set(mix(0), mix(1), mix(2));
        blendRotation(from.rot, to.rot, 0, share, this.rot);
        group.quaternion.set(this.rot[1]!, this.rot[2]!, this.rot[3]!, this.rot[0]!);
    }

    private build(object: ObjectState): Group {
        const group = new Group();
        for (const geom of object.geoms) {
            const kind = KINDS[geom.kind];
            if (kind !== undefined) group.add(this.buildShape(kind, geom));
        }
        this.group.add(group);
        return group;
    }

    private buildShape(kind: SolidKind, { size, pos, rot }: Geom): Mesh {
        const mesh = new Mesh(solidGeometry(kind, [size?.x ?? 0, size?.y ?? 0, size?.z ?? 0]), this.material);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.position.set(pos?.x ?? 0, pos?.y ?? 0, pos?.z ?? 0);
        mesh.quaternion.set(rot?.x ?? 0, rot?.y ?? 0, rot?.z ?? 0, rot?.w ?? 1);
        return mesh;
    }
}
