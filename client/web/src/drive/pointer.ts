/* Mouse, pen and fingers on the picture: drag the ground to orbit, two fingers or the right button to pan, wheel or pinch to zoom; a tap
 * selects a character or points at the ground. Dragging a body pushes it when it is let go; a drag that rests keeps pushing,
 * until it is let go. */
import { Vector3 } from "three";
import type { Camera } from "../scene/camera.js";
import type { Hit } from "../scene/cast.js";
import type { Stage } from "../scene/stage.js";

const TAP_PX = 6;
const PINCH_PX = 40; // two fingers that move farther together pan
const TURN_PER_PX = 0.006;
export const NEWTON_PER_M = 250;
export const NEWTON_MAX = 600;
const NEWTON_MIN = 1;
const REST_S = 0.5; // of the world: a drag that rests for this time is held
export const PUSH_S = 0.2; // of one push; pushes of a held drag follow one another

export interface PointerActions {
    select: (hit: Hit) => void;
    ground: (point: Vector3) => void;
    /** While dragging: the force so far, and whether it keeps pushing; undefined: the body was let go. */
    aim: (hit: Hit, force: Vector3 | undefined, held: boolean) => void;
    push: (hit: Hit, force: Vector3) => void;
    /** Seconds of the world, so that a paused one is not pushed. Without it no drag is held. */
    clock?: () => number;
}

interface Finger {
    x: number;
    y: number;
}

export class Pointer {
    private readonly fingers = new Map<number, Finger>();
    private start: Finger = { x: 0, y: 0 };
    private travelled = 0;
    private panning = false;
    private hit: Hit | undefined;
    private depthM = 0; // of the body that is dragged, before the camera
    private readonly now: Finger = { x: 0, y: 0 };
    private sinceS = 0; // time of the last move; of a held drag, of the last push
    private held = false;
    private pinch = 0; // distance between two fingers, and how far their middle has moved
    private readonly drift = { x: 0, y: 0 };

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly stage: Stage,
        private readonly camera: Camera,
        private readonly actions: PointerActions,
    ) {
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event, true));
        canvas.addEventListener("pointercancel", (event) => this.up(event, false));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    }

    private share(event: { clientX: number; clientY: number }): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        return [((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2];
    }

    private down(event: PointerEvent): void {
        this.canvas.setPointerCapture(event.pointerId);
        this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (this.fingers.size === 2) return this.beginPinch();
        this.start = { x: event.clientX, y: event.clientY };
        this.travelled = 0;
        this.panning = event.button === 2 || event.button === 1 || event.shiftKey;
        this.hit = this.panning ? undefined : this.stage.cast.pick(this.stage.ray(...this.share(event)).ray);
        if (this.hit) this.beginDrag(this.hit);
    }

    private beginDrag(hit: Hit): void {
        const camera = this.stage.orbit.camera;
        this.depthM = hit.point.clone().sub(camera.position).dot(camera.getWorldDirection(new Vector3()));
        this.held = false;
        Object.assign(this.now, this.start);
        const { clock } = this.actions;
        if (!clock) return;
        this.sinceS = clock();
        requestAnimationFrame(() => this.hold(hit, clock));
    }

    private move(event: PointerEvent): void {
        const finger = this.fingers.get(event.pointerId);
        if (finger === undefined) {
            if (event.pointerType === "mouse") this.hover(event);
            return;
        }
        const dx = event.clientX - finger.x;
        const dy = event.clientY - finger.y;
        finger.x = event.clientX;
        finger.y = event.clientY;
        this.travelled = Math.max(this.travelled, Math.hypot(finger.x - this.start.x, finger.y - this.start.y));
        if (this.fingers.size === 2) this.movePinch(dx, dy);
        else if (this.hit) this.moveDrag(this.hit, finger);
        else if (this.travelled > TAP_PX || this.panning) this.moveCamera(dx, dy);
    }

    private up(event: PointerEvent, meant: boolean): void {
        if (!this.fingers.delete(event.pointerId)) return;
        const hit = this.hit;
        this.hit = undefined;
        if (hit) this.actions.aim(hit, undefined, false);
        if (!meant || this.fingers.size > 0) return;
        if (this.travelled <= TAP_PX) return this.tap(event, hit);
        this.now.x = event.clientX;
        this.now.y = event.clientY;
        const force = this.force();
        if (hit && force && !this.held) this.actions.push(hit, force);
    }

    private tap(event: PointerEvent, hit: Hit | undefined): void {
        if (event.button !== 0) return;
        if (hit) return this.actions.select(hit);
        const point = this.stage.onGround(...this.share(event));
        if (point) this.actions.ground(point);
    }

    private moveDrag(hit: Hit, to: Finger): void {
        Object.assign(this.now, to);
        if (!this.held) this.sinceS = this.actions.clock?.() ?? 0;
        this.actions.aim(hit, this.force(), this.held);
    }

    /** In each picture, until the body is let go. */
    private hold(hit: Hit, clock: () => number): void {
        if (this.hit !== hit) return;
        requestAnimationFrame(() => this.hold(hit, clock));
        const force = this.force();
        const timeS = clock();
        this.sinceS = Math.min(this.sinceS, timeS); // the world may have begun again
        if (!force) return;
        if (timeS - this.sinceS >= (this.held ? PUSH_S : REST_S)) {
            this.held = true;
            this.sinceS = timeS;
            this.actions.push(hit, force);
        }
        if (!this.held) return;
        hit.point.copy(this.inPicture(this.start)); // the camera follows the body
        this.actions.aim(hit, force, true);
    }

    /** The point of the picture at the depth of the body. */
    private inPicture({ x, y }: Finger): Vector3 {
        const { origin, direction } = this.stage.ray(...this.share({ clientX: x, clientY: y })).ray;
        const along = direction.dot(this.stage.orbit.camera.getWorldDirection(new Vector3()));
        return direction.clone().multiplyScalar(this.depthM / along).add(origin);
    }

    /** How hard: by the distance from where the body was taken, in the plane of the picture. */
    private force(): Vector3 | undefined {
        if (this.travelled <= TAP_PX) return undefined;
        const force = this.inPicture(this.now).sub(this.inPicture(this.start)).multiplyScalar(NEWTON_PER_M).clampLength(0, NEWTON_MAX);
        return force.length() < NEWTON_MIN ? undefined : force;
    }

    private moveCamera(dx: number, dy: number): void {
        if (this.panning) this.camera.pan(-dx / this.canvas.clientHeight, dy / this.canvas.clientHeight);
        else this.camera.turn(dx * TURN_PER_PX, dy * TURN_PER_PX);
    }

    private hover(event: PointerEvent): void {
        const over = this.stage.cast.pick(this.stage.ray(...this.share(event)).ray);
        this.canvas.classList.toggle("over-body", over !== undefined);
    }

    private spread(): number {
        const [a, b] = [...this.fingers.values()];
        return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    }

    private beginPinch(): void {
        if (this.hit) this.actions.aim(this.hit, undefined, false);
        this.hit = undefined;
        this.travelled = TAP_PX + 1;
        this.pinch = this.spread();
        this.drift.x = this.drift.y = 0;
    }

    private movePinch(dx: number, dy: number): void {
        const spread = this.spread();
        if (spread > 0 && this.pinch > 0) this.camera.zoom(this.pinch / spread);
        this.pinch = spread;
        this.drift.x += dx / 2;
        this.drift.y += dy / 2;
        if (Math.hypot(this.drift.x, this.drift.y) > PINCH_PX) this.camera.pan(-dx / 2 / this.canvas.clientHeight, dy / 2 / this.canvas.clientHeight);
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        this.camera.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(120, Math.abs(event.deltaY)) * 0.0016));
    }
}
