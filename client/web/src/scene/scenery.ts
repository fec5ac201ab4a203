/* What stands still in a world, by a table of its shapes: a new one is a row. */
import { MeshLambertMaterial, type BufferGeometry, type Color, Group, Mesh } from "three";
import type { HeightField, Scenery as SceneryItem, Mesh as SurfaceMesh } from "troupe-client";
import { solidGeometry } from "./solids.js";
import { heightFieldGeometry, meshGeometry } from "./surfaces.js";

const PATCH_M = 0.002; // half height of shapes without a height

interface SceneryKind {
    is: (item: SceneryItem) => boolean;
    geometry: (item: SceneryItem) => BufferGeometry;
    /** It stands in the way: drawn solid, and casts a shadow. */
    solid: boolean;
}

/** The first that fits. */
const KINDS: readonly SceneryKind[] = [
    { is: ({ surface }) => surface.case === "heightField", geometry: ({ surface }) => heightFieldGeometry(surface.value as HeightField), solid: true },
    { is: ({ surface }) => surface.case === "mesh", geometry: ({ surface }) => meshGeometry(surface.value as SurfaceMesh), solid: true },
    { is: ({ patch }) => patch, geometry: ({ size }) => solidGeometry("box", [size?.x ?? 0, size?.y ?? 0, PATCH_M]), solid: false },
    { is: () => true, geometry: ({ size }) => solidGeometry("box", [size?.x ?? 0, size?.y ?? 0, size?.z ?? 0]), solid: true },
];

export class Scenery {
    readonly group = new Group();
    private readonly solid = new MeshLambertMaterial();
    private readonly flat = new MeshLambertMaterial({ transparent: true, opacity: 0.45, depthWrite: false });

    private built = "[]";

    recolor(solid: Color, flat: Color): void {
        this.solid.color.copy(solid);
        this.flat.color.copy(flat);
    }

    /** What stands in the way. */
    get solids(): Mesh[] {
        return (this.group.children as Mesh[]).filter(({ material }) => material === this.solid);
    }

    /** Takes the place of what stood there. False: it is the same. */
    set(items: readonly SceneryItem[]): boolean {
        const description = JSON.stringify(items);
        if (description === this.built) return false;
        this.built = description;
        for (const mesh of this.group.children as Mesh[]) mesh.geometry.dispose();
        this.group.clear();
        for (const item of items) this.group.add(this.build(item));
        return true;
    }

    private build(item: SceneryItem): Mesh {
        const kind = KINDS.find(({ is }) => is(item))!;
        const mesh = new Mesh(kind.geometry(item), kind.solid ? this.solid : this.flat);
        mesh.receiveShadow = true;
        mesh.castShadow = kind.solid;
        const { pos, rot } = item;
        mesh.position.set(pos?.x ?? 0, pos?.y ?? 0, pos?.z ?? 0);
        mesh.quaternion.set(rot?.x ?? 0, rot?.y ?? 0, rot?.z ?? 0, rot?.w ?? 1);
        mesh.updateMatrix();
        return mesh;
    }
}
