/* The camera on a sphere around a target. */
import { PerspectiveCamera, Vector3 } from "three";

const ELEVATION_MIN = 0.03;
const ELEVATION_MAX = 1.5;
const DISTANCE_MIN = 1;
const DISTANCE_MAX = 90;
const JUMP_M = 2; // a point that moved farther between two frames is another one

export class Orbit {
    readonly camera = new PerspectiveCamera(38, 1, 0.05, 400);
    readonly target = new Vector3(0, 0, 0.8);
    azimuth = -1.05;
    elevation = 0.3;
    distance = 7;
    private readonly last = new Vector3();
    private tracking = false;
    private settled = false;

    constructor() {
        this.camera.up.set(0, 0, 1);
    }

    turn(dx: number, dy: number): void {
        this.azimuth -= dx;
        this.elevation = Math.min(ELEVATION_MAX, Math.max(ELEVATION_MIN, this.elevation + dy));
    }

    zoom(factor: number): void {
        this.distance = Math.min(DISTANCE_MAX, Math.max(DISTANCE_MIN, this.distance * factor));
    }

    /** Over the ground, in screen directions, by shares of the picture's height. */
    pan(right: number, up: number): void {
        const scale = this.distance * 0.7;
        const ahead = [-Math.cos(this.azimuth), -Math.sin(this.azimuth)] as const;
        this.target.x += scale * (ahead[0] * up + ahead[1] * right);
        this.target.y += scale * (ahead[1] * up - ahead[0] * right);
    }

    /** From how far a ball of this radius around the target is seen whole, m. */
    distanceFor(radius: number): number {
        const upright = (this.camera.fov * Math.PI) / 360;
        const across = Math.atan(Math.tan(upright) * this.camera.aspect);
        return Math.min(DISTANCE_MAX, radius / Math.sin(Math.min(upright, across)));
    }

    /** The direction on the ground that is up on the screen, rad about z. */
    get headingAway(): number {
        return Math.atan2(-Math.sin(this.azimuth), -Math.cos(this.azimuth));
    }

    /** Moves with a point, and eases towards it when it is elsewhere; the first ever is jumped to. undefined: stays. */
    follow(point: Vector3 | undefined, dtS: number): void {
        if (point && !this.settled) this.target.copy(point);
        this.settled ||= point !== undefined;
        if (point && this.tracking && point.distanceTo(this.last) < JUMP_M) this.target.add(point).sub(this.last);
        if (point) this.target.lerp(point, 1 - Math.exp(-dtS * 5));
        this.tracking = point !== undefined;
        if (point) this.last.copy(point);
    }

    update(): void {
        const flat = Math.cos(this.elevation) * this.distance;
        this.camera.position.set(
            this.target.x + flat * Math.cos(this.azimuth),
            this.target.y + flat * Math.sin(this.azimuth),
            this.target.z + Math.sin(this.elevation) * this.distance,
        );
        this.camera.lookAt(this.target);
    }
}
