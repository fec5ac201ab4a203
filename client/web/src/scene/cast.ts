/* The characters: where they are now, and what draws them. All of one model are one crowd, so that twenty cost as many draw calls as
 * one. */
import { Color, Group, Vector3, type Ray } from "three";
import type { CharacterState } from "troupe-client";
import { teamIndex } from "../state/names.js";
import type { Sample } from "../state/playback.js";
import type { Crowd } from "./crowd.js";
import type { Plan } from "./figure/plan.js";
import { SkinMaker } from "./figure/skin_maker.js";
import { Troop } from "./figure/troop.js";
import type { Meshes } from "./meshes.js";
import { castColor } from "./palette.js";
import { meet } from "./pick.js";
import { blendRotation } from "./rigid.js";
import { Shade } from "./shade.js";
import { Shapes } from "./shapes.js";
import { Terrain, type Foothold } from "./terrain.js";

const CAPACITY = 64; // as many as a world may have: TR_CHARACTER_MAX
const CELL_M = { coarsest: 0.066, coarse: 0.022, fine: 0.0125 };
const OVER_HEAD_M = 0.32; // above the highest joint
const DOWN = { color: new Color("#84919d"), share: 0.88 };

/** How finely skins are drawn. */
export type Detail = keyof typeof CELL_M;

interface Model {
    plan: Plan;
    troop: Troop;
    worn: Detail;
    /** Made when they are first asked for. */
    shapes: Shapes | undefined;
    /** The user's own, instead of the skin. */
    mesh: Meshes | undefined;
    /** Entity of each instance, and how it is painted. */
    members: number[];
    paints: string[];
}

export interface Hit {
    entity: number;
    body: number;
    bodyName: string;
    point: Vector3;
}

/** The place where a character is drawn now. */
export interface Drawn {
    state: CharacterState;
    index: number;
    /** [body_count][3] and [body_count][4], interpolated, world. */
    pos: Float32Array;
    rot: Float32Array;
    /** Above the head, world. */
    top: Vector3;
    /** Of what is below its root, m. */
    ground: number;
}

export class Cast {
    readonly group = new Group();
    readonly drawn = new Map<number, Drawn>();
    /** Draws the shapes that are simulated instead of bodies. */
    asShapes = false;
    /** Which characters are drawn greyer: those that lie and do not get up. */
    isDown: (state: CharacterState) => boolean = (state) => state.fallen;
    /** Of the match that is fought: their members have one colour. */
    teams: readonly string[] = [];
    readonly terrain = new Terrain();
    readonly shade = new Shade(this.terrain);
    private readonly models = new Map<string, Model>();
    private readonly maker = new SkinMaker();
    private readonly colors = new Map<string, Color>();
    private readonly order = new Map<number, number>(); // entity: index of its colour
    private detail: Detail = "coarse";

    constructor() {
        this.group.add(this.shade.object);
    }

    /** A model's characters are drawn from then on. */
    async addModel(name: string, plan: Plan): Promise<void> {
        const skin = await this.maker.make(plan, CELL_M.coarse);
        performance.mark("first skin");
        const troop = new Troop(skin, CAPACITY);
        this.models.set(name, { plan, troop, worn: "coarse", shapes: undefined, mesh: undefined, members: [], paints: [] });
        this.group.add(troop.object);
        this.setDetail(this.detail);
    }

    setDetail(detail: Detail): void {
        this.detail = detail;
        for (const model of this.models.values()) if (model.worn !== detail) void this.dress(model, detail);
    }

    private async dress(model: Model, detail: Detail): Promise<void> {
        model.worn = detail;
        const skin = await this.maker.make(model.plan, CELL_M[detail]);
        if (model.worn === detail) model.troop.wear(skin);
    }

    /** Characters of the model wear a mesh from now on; undefined: their skin again. The cast owns it. */
    wear(name: string, mesh: Meshes | undefined): void {
        const model = this.models.get(name);
        if (model === undefined) return mesh?.destroy();
        if (model.mesh) this.group.remove(model.mesh.object);
        model.mesh?.destroy();
        model.mesh = mesh;
        model.paints.length = 0;
        if (mesh) this.group.add(mesh.object);
    }

    colorIndex({ entity, label }: CharacterState): number {
        const team = teamIndex(label, this.teams);
        if (team >= 0) return team;
        const index = this.order.get(entity) ?? this.order.size;
        this.order.set(entity, index);
        return index;
    }

    /** Moves all characters to a moment between two states. */
    update(sample: Sample): void {
        for (const model of this.models.values()) model.members.length = 0;
        this.shade.begin();
        const later = new Map<number, CharacterState>();
        if (sample.to !== sample.from) for (const state of sample.to.characters) later.set(state.entity, state);
        for (const state of sample.from.characters) this.place(state, later.get(state.entity) ?? state, sample.share);
        for (const model of this.models.values()) this.finish(model);
        this.shade.finish();
        for (const entity of this.drawn.keys())
            if (!sample.from.characters.some((state) => state.entity === entity)) this.drawn.delete(entity);
    }

    /** The body under a ray. */
    pick({ origin, direction }: Ray): Hit | undefined {
        const ray = { from: origin.toArray(), along: direction.toArray() };
        let best: Hit | undefined;
        let nearest = Infinity;
        for (const { state, pos, rot } of this.drawn.values())
            for (const shape of this.models.get(state.model)?.plan.shapes ?? []) {
                const distance = meet(shape, pos, rot, ray);
                if (distance === undefined || distance >= nearest) continue;
                nearest = distance;
                best = { entity: state.entity, body: shape.body, bodyName: shape.bodyName, point: new Vector3().copy(origin).addScaledVector(direction, distance) };
            }
        return best;
    }

    destroy(): void {
        this.maker.destroy();
        for (const { troop, shapes, mesh } of this.models.values()) for (const each of [troop, shapes, mesh]) each?.destroy();
    }

    private place(from: CharacterState, to: CharacterState, share: number): void {
        const model = this.models.get(from.model);
        if (model === undefined || from.bodyPos.length < 3 * model.plan.bones.length || model.members.length >= CAPACITY) return;
        const instance = model.members.push(from.entity) - 1;
        const drawn = this.interpolate(from, to, share, model.plan.bones.length);
        const crowd = this.crowdOf(model);
        crowd.place(instance, drawn.pos, drawn.rot);
        this.shade.add(model.plan.shapes, drawn.pos, drawn.rot);
        const paint = `${drawn.index} ${this.isDown(from)}`;
        if (model.paints[instance] !== paint) crowd.paintIn(instance, this.color(drawn.index, this.isDown(from)));
        model.paints[instance] = paint;
    }

    /** What draws a model now; the others are emptied. */
    private crowdOf(model: Model): Crowd {
        if (!this.asShapes) return model.mesh ?? model.troop;
        if (model.shapes === undefined) {
            model.shapes = new Shapes(model.plan.shapes, CAPACITY);
            this.group.add(model.shapes.object);
        }
        return model.shapes;
    }

    private finish(model: Model): void {
        const crowd = this.crowdOf(model);
        for (const each of [model.troop, model.shapes, model.mesh]) each?.finish(each === crowd ? model.members.length : 0);
    }

    /** Bodies, or shapes. */
    showShapes(on: boolean): void {
        this.asShapes = on;
        for (const model of this.models.values()) model.paints.length = 0;
    }

    private interpolate(from: CharacterState, to: CharacterState, share: number, bodyCount: number): Drawn {
        let drawn = this.drawn.get(from.entity);
        if (drawn === undefined || drawn.pos.length !== 3 * bodyCount) {
            const pos = new Float32Array(3 * bodyCount);
            const rot = new Float32Array(4 * bodyCount);
            drawn = { state: from, index: this.colorIndex(from), pos, rot, top: new Vector3(), ground: 0 };
            this.drawn.set(from.entity, drawn);
        }
        drawn.state = share < 0.5 ? from : to;
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
        drawn.top.set(drawn.pos[0]!, drawn.pos[1]!, top + OVER_HEAD_M);
        if (this.terrain.under(drawn.pos[0]!, drawn.pos[1]!, drawn.pos[2]!, foothold)) drawn.ground = foothold.height;
        return drawn;
    }

    private color(index: number, down: boolean): Color {
        const name = `${index} ${down}`;
        let color = this.colors.get(name);
        if (color === undefined) {
            color = new Color(castColor(index));
            if (down) color.lerp(DOWN.color, DOWN.share);
            this.colors.set(name, color);
        }
        return color;
    }
}

const foothold: Foothold = { height: 0, slopeX: 0, slopeY: 0 };
