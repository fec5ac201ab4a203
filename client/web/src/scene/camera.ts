/* The camera: one of a table of views, around its target. Times and angles in seconds and radians. */
import { Vector3 } from "three";
import type { Drawn } from "./cast.js";
import type { Orbit } from "./orbit.js";

export type ViewName = "free" | "chase" | "side" | "front" | "top" | "all";

export interface View {
    name: ViewName;
    title: string;
    /** Relative to the followed character's heading; undefined: unchanged. */
    azimuth?: number;
    elevation?: number;
    distance?: number;
}

/** In the order of the key V. */
export const VIEWS: readonly View[] = [
    { name: "free", title: "Free: drag to look around" },
    { name: "chase", title: "From behind", azimuth: Math.PI, elevation: 0.28, distance: 5 },
    { name: "side", title: "From the side", azimuth: -Math.PI / 2, elevation: 0.1, distance: 5 },
    { name: "front", title: "From the front", azimuth: 0, elevation: 0.14, distance: 4.6 },
    { name: "top", title: "From above", elevation: 1.5, distance: 9 },
    { name: "all", title: "Everybody" },
];

const TURN_PER_S = 2.4; // how fast the camera follows a heading
const MOVE_PER_S = 4; // and takes up a view
const UPRIGHT = 0.5; // cosine: a body that leans more has no heading
const BODY_M = 1.1; // around a character, in the picture of all
const WAIST = 0.9; // of the root's height over the ground: the camera's target

export class Camera {
    /** Whether the camera follows the selected character, or all. */
    following = true;
    onChange: () => void = () => {};
    private view: View = VIEWS[0]!;
    private heading = 0;
    /** The view is being taken up: its elevation and distance are not reached yet. */
    private moving = false;
    private distance: number | undefined;
    private readonly target = new Vector3();

    constructor(readonly orbit: Orbit) {}

    get viewName(): ViewName {
        return this.view.name;
    }

    /** distance: another than the view's, m. */
    setView(name: ViewName, distance?: number): void {
        this.view = VIEWS.find((each) => each.name === name)!;
        this.distance = distance ?? this.view.distance;
        this.moving = true;
        if (name !== "free") this.following = true;
        this.onChange();
    }

    nextView(): void {
        this.setView(VIEWS[(VIEWS.indexOf(this.view) + 1) % VIEWS.length]!.name);
    }

    setFollowing(on: boolean): void {
        this.following = on;
        if (!on) this.view = VIEWS[0]!;
        this.onChange();
    }

    /** By hand: a view that turns with its character ends. */
    turn(dx: number, dy: number): void {
        this.orbit.turn(dx, dy);
        if (this.view.azimuth !== undefined) this.setView("free");
        this.moving = false;
    }

    zoom(factor: number): void {
        this.orbit.zoom(factor);
        if (this.view.name === "all") this.setView("free");
        this.moving = false;
    }

    pan(right: number, up: number): void {
        this.orbit.pan(right, up);
        if (this.following) this.setFollowing(false);
    }

    /** selected: the character to follow; undefined: all of them. */
    update(selected: Drawn | undefined, all: readonly Drawn[], dtS: number): void {
        const { orbit, view } = this;
        const followed = view.name === "all" || selected === undefined ? all : [selected];
        if (!this.following || followed.length === 0) return orbit.follow(undefined, dtS);
        const reach = middleOf(followed, this.target);
        orbit.follow(this.target, dtS);
        if (selected) this.turnBehind(selected, dtS);
        const distance = view.name === "all" ? orbit.distanceFor(reach + BODY_M) : this.moving ? this.distance : undefined;
        const share = 1 - Math.exp(-MOVE_PER_S * dtS);
        if (distance !== undefined) orbit.distance += (distance - orbit.distance) * share;
        if (this.moving && view.elevation !== undefined) orbit.elevation += (view.elevation - orbit.elevation) * share;
        const arrived = Math.abs(orbit.elevation - (view.elevation ?? orbit.elevation)) < 0.01 && Math.abs(orbit.distance - (distance ?? orbit.distance)) < 0.05;
        if (arrived) this.moving = false;
    }

    private turnBehind({ rot }: Drawn, dtS: number): void {
        const [w, x, y, z] = [rot[0]!, rot[1]!, rot[2]!, rot[3]!];
        if (1 - 2 * (x * x + y * y) > UPRIGHT) this.heading = Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
        if (this.view.azimuth === undefined) return;
        const { orbit } = this;
        const error = this.heading + this.view.azimuth - orbit.azimuth;
        orbit.azimuth += Math.atan2(Math.sin(error), Math.cos(error)) * (1 - Math.exp(-TURN_PER_S * dtS));
    }
}

/** out = the middle of where they stand; returns how far the farthest is from it, m. */
function middleOf(all: readonly Drawn[], out: Vector3): number {
    const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
    let height = 0;
    for (const { pos, ground } of all) {
        for (let k = 0; k < 2; k++) {
            low[k] = Math.min(low[k]!, pos[k]!);
            high[k] = Math.max(high[k]!, pos[k]!);
        }
        height += (ground + Math.max(0.5, (pos[2]! - ground) * WAIST)) / all.length;
    }
    out.set((low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2, height);
    return Math.max(...all.map(({ pos }) => Math.hypot(pos[0]! - out.x, pos[1]! - out.y)));
}
