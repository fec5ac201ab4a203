/* The characters: for each shape of a model one instanced mesh that draws it for all who have that body, so that twenty
 * characters cost as many draw calls as one. */
import { Color, DynamicDrawUsage, Group, InstancedMesh, MeshLambertMaterial, Raycaster, Sphere, Vector3 } from "three";
import type { CharacterState } from "troupe-client";
import type { Sample } from "../state/playback.js";
import type { Shape } from "./mjcf.js";
import { castColor } from "./palette.js";
import { blendRotation, multiplyRotation, rotate, writeMatrix } from "./rigid.js";
import { solidGeometry } from "./solids.js";

const CAPACITY = 64; // as many as a world may have: TR_CHARACTER_MAX

interface Troop {
    shapes: Shape[];
    bodyCount: number;
    meshes: InstancedMesh[];
    members: number[]; // entity of each instance
}

export interface Hit {
    entity: number;
    body: number;
    bodyName: string;
    point: Vector3;
}

/** Where a character is drawn now. */
export interface Drawn {
    state: CharacterState;
    index: number;
    /** [body_count][3] and [body_count][4], interpolated, world. */
    pos: Float32Array;
    rot: Float32Array;
    /** Above the head, world. */
    top: Vector3;
}

/** Trunks in the character's colour, limbs lighter, hands and feet darker: a body reads at a glance. */
function toneOf(name: string): { lightness: number; saturation: number } {
    if (/foot|toe|hand/.test(name)) return { lightness: -0.2, saturation: 0.7 };
    if (/head/.test(name)) return { lightness: 0.16, saturation: 0.75 };
    if (/torso|pelvis|trunk|chest/.test(name)) return { lightness: 0, saturation: 1 };
    return { lightness: 0.07, saturation: 0.85 };
}

export class Cast {
    readonly group = new Group();
    readonly drawn = new Map<number, Drawn>();
    private readonly troops = new Map<string, Troop>();
    private readonly colors = new Map<string, Color>();
    private readonly order = new Map<number, number>(); // entity: index of its colour
    private nextIndex = 0;

    has(model: string): boolean {
        return this.troops.has(model);
    }

    addModel(name: string, shapes: Shape[], bodyCount: number): void {
        const meshes = shapes.map((shape) => {
            const material = new MeshLambertMaterial();
            const mesh = new InstancedMesh(solidGeometry(shape.kind, shape.size), material, CAPACITY);
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.castShadow = mesh.receiveShadow = true;
            mesh.frustumCulled = false;
            mesh.boundingSphere = new Sphere(new Vector3(), 1e6);
            mesh.count = 0;
            this.group.add(mesh);
            return mesh;
        });
        this.troops.set(name, { shapes, bodyCount, meshes, members: [] });
    }

    colorIndex(entity: number): number {
        let index = this.order.get(entity);
        if (index === undefined) this.order.set(entity, (index = this.nextIndex++));
        return index;
    }

    /** Moves everybody to a moment between two states. */
    update(sample: Sample): void {
        for (const troop of this.troops.values()) troop.members.length = 0;
        const later = new Map<number, CharacterState>();
        if (sample.to !== sample.from) for (const state of sample.to.characters) later.set(state.entity, state);
        for (const state of sample.from.characters) this.place(state, later.get(state.entity) ?? state, sample.share);
        for (const troop of this.troops.values()) this.finish(troop);
        for (const entity of this.drawn.keys())
            if (!sample.from.characters.some((state) => state.entity === entity)) this.drawn.delete(entity);
    }

    /** The body under a ray. */
    pick(raycaster: Raycaster): Hit | undefined {
        let best: Hit | undefined;
        let nearest = Infinity;
        for (const troop of this.troops.values())
            troop.meshes.forEach((mesh, i) => {
                for (const { distance, instanceId, point } of raycaster.intersectObject(mesh, false)) {
                    if (distance >= nearest || instanceId === undefined) continue;
                    nearest = distance;
                    const shape = troop.shapes[i]!;
                    best = { entity: troop.members[instanceId]!, body: shape.body, bodyName: shape.bodyName, point };
                }
            });
        return best;
    }

    private place(from: CharacterState, to: CharacterState, share: number): void {
        const troop = this.troops.get(from.model);
        if (troop === undefined || from.bodyPos.length < 3 * troop.bodyCount) return;
        const instance = troop.members.length;
        if (instance >= CAPACITY) return;
        troop.members.push(from.entity);
        const drawn = this.interpolate(from, to, share, troop.bodyCount);
        const fresh = troop.meshes[0]!.userData[instance] !== from.entity + (from.fallen ? 0.5 : 0);
        troop.shapes.forEach((shape, i) => {
            const mesh = troop.meshes[i]!;
            const b = shape.body;
            rotate(drawn.rot, 4 * b, shape.pos, scratchPos);
            for (let k = 0; k < 3; k++) scratchPos[k]! += drawn.pos[3 * b + k]!;
            multiplyRotation(drawn.rot, 4 * b, shape.rot, scratchRot);
            writeMatrix(mesh.instanceMatrix.array as Float32Array, 16 * instance, scratchPos, scratchRot);
            if (fresh) mesh.setColorAt(instance, this.color(drawn.index, shape.bodyName, from.fallen));
            if (fresh && mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        });
        troop.meshes[0]!.userData[instance] = from.entity + (from.fallen ? 0.5 : 0);
    }

    private interpolate(from: CharacterState, to: CharacterState, share: number, bodyCount: number): Drawn {
        let drawn = this.drawn.get(from.entity);
        if (drawn === undefined || drawn.pos.length !== 3 * bodyCount) {
            const pos = new Float32Array(3 * bodyCount);
            const rot = new Float32Array(4 * bodyCount);
            drawn = { state: from, index: this.colorIndex(from.entity), pos, rot, top: new Vector3() };
            this.drawn.set(from.entity, drawn);
        }
        drawn.state = from;
        const whole = to.bodyPos.length >= 3 * bodyCount ? to : from;
        let top = -Infinity;
        for (let i = 0; i < 3 * bodyCount; i++) {
            const a = from.bodyPos[i]!;
            drawn.pos[i] = a + (whole.bodyPos[i]! - a) * share;
        }
        for (let b = 0; b < bodyCount; b++) {
            blendRotation(from.bodyRot, whole.bodyRot, 4 * b, share, drawn.rot);
            top = Math.max(top, drawn.pos[3 * b + 2]!);
        }
        drawn.top.set(drawn.pos[0]!, drawn.pos[1]!, top + 0.32);
        return drawn;
    }

    private color(index: number, bodyName: string, fallen: boolean): Color {
        const name = `${index} ${bodyName} ${fallen}`;
        let color = this.colors.get(name);
        if (color === undefined) {
            const tone = toneOf(bodyName);
            const hsl = { h: 0, s: 0, l: 0 };
            color = new Color(castColor(index));
            color.getHSL(hsl);
            color.setHSL(hsl.h, hsl.s * tone.saturation * (fallen ? 0.35 : 1), hsl.l + tone.lightness);
            this.colors.set(name, color);
        }
        return color;
    }

    private finish(troop: Troop): void {
        for (const mesh of troop.meshes) {
            mesh.count = troop.members.length;
            mesh.visible = mesh.count > 0;
            mesh.instanceMatrix.needsUpdate = true;
        }
    }
}

const scratchPos = new Float32Array(3);
const scratchRot = new Float32Array(4);
