/* Free objects and scenery: their shapes come once, with STATE_FIELD_SHAPES; objects then move. */
import { Group, Mesh, MeshLambertMaterial, type Color } from "three";
import { GeomKind, type Geom, type ObjectState, type Scenery, type WorldState } from "troupe-client";
import type { Sample } from "../state/playback.js";
import { blendRotation } from "./rigid.js";
import { solidGeometry, type SolidKind } from "./solids.js";

const KINDS: Partial<Record<GeomKind, SolidKind>> = {
    [GeomKind.SPHERE]: "sphere",
    [GeomKind.CAPSULE]: "capsule",
    [GeomKind.BOX]: "box",
};

function place(mesh: Mesh | Group, from: Pick<Geom, "pos" | "rot">): void {
    mesh.position.set(from.pos?.x ?? 0, from.pos?.y ?? 0, from.pos?.z ?? 0);
    const { w = 1, x = 0, y = 0, z = 0 } = from.rot ?? {};
    mesh.quaternion.set(x, y, z, w);
}

export class Props {
    readonly group = new Group();
    private readonly objects = new Map<number, Group>();
    private readonly scenery = new Group();
    /** Something lies at z = 0. */
    ground = true;
    private readonly material: MeshLambertMaterial;
    private readonly still: MeshLambertMaterial;
    private readonly patch: MeshLambertMaterial;
    private readonly rot = new Float32Array(4);

    constructor() {
        this.material = new MeshLambertMaterial();
        this.still = new MeshLambertMaterial();
        this.patch = new MeshLambertMaterial({ transparent: true, opacity: 0.45, depthWrite: false });
        this.group.add(this.scenery);
    }

    recolor(prop: Color, scenery: Color, patch: Color): void {
        this.material.color.copy(prop);
        this.still.color.copy(scenery);
        this.patch.color.copy(patch);
    }

    /** Objects of this state whose shapes are not known yet. */
    lacksShapes(state: WorldState): boolean {
        return state.objects.some((object) => !this.objects.has(object.entity));
    }

    /** Takes the shapes out of a state that has them. */
    learn(state: WorldState): void {
        for (const object of state.objects)
            if (!this.objects.has(object.entity)) this.objects.set(object.entity, this.build(object));
        this.ground = !state.noGround;
        if (this.scenery.children.length === 0) for (const each of state.scenery) this.scenery.add(this.box(each));
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
            if (kind === undefined) continue;
            const size = [geom.size?.x ?? 0, geom.size?.y ?? 0, geom.size?.z ?? 0] as const;
            const mesh = new Mesh(solidGeometry(kind, size), this.material);
            mesh.castShadow = mesh.receiveShadow = true;
            place(mesh, geom);
            group.add(mesh);
        }
        this.group.add(group);
        return group;
    }

    private box(scenery: Scenery): Mesh {
        const height = scenery.patch ? 0.002 : (scenery.size?.z ?? 0);
        const size = [scenery.size?.x ?? 0, scenery.size?.y ?? 0, height] as const;
        const mesh = new Mesh(solidGeometry("box", size), scenery.patch ? this.patch : this.still);
        mesh.receiveShadow = true;
        mesh.castShadow = !scenery.patch;
        place(mesh, scenery);
        return mesh;
    }
}
