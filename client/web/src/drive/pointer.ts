/* Mouse, pen and fingers on the picture: drag the ground to orbit, two fingers or the right button to pan, wheel or pinch to zoom; a tap
 * selects a character or points at the ground; dragging a body pushes it. */
import { Plane, Vector3 } from "three";
import type { Camera } from "../scene/camera.js";
import type { Hit } from "../scene/cast.js";
import type { Stage } from "../scene/stage.js";

const TAP_PX = 6;
const PINCH_PX = 40; // two fingers that move farther together pan
const TURN_PER_PX = 0.006;
export const NEWTON_PER_M = 250;
export const NEWTON_MAX = 600;

export interface PointerActions {
    select: (hit: Hit) => void;
    ground: (point: Vector3) => void;
    /** While dragging: the force so far; undefined: the body was let go. */
    aim: (hit: Hit, force: Vector3 | undefined) => void;
    push: (hit: Hit, force: Vector3) => void;
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
    private plane: Plane | undefined;
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
        if (this.hit) {
            const towards = this.stage.orbit.camera.getWorldDirection(new Vector3());
            this.plane = new Plane().setFromNormalAndCoplanarPoint(towards, this.hit.point);
        }
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
        else if (this.hit) this.actions.aim(this.hit, this.force(event));
        else if (this.travelled > TAP_PX || this.panning) this.moveCamera(dx, dy);
    }

    private up(event: PointerEvent, meant: boolean): void {
        if (!this.fingers.delete(event.pointerId)) return;
        const hit = this.hit;
        this.hit = undefined;
        if (hit) this.actions.aim(hit, undefined);
        if (!meant || this.fingers.size > 0) return;
        if (this.travelled <= TAP_PX) this.tap(event, hit);
        else if (hit) {
            this.hit = hit;
            const force = this.force(event);
            this.hit = undefined;
            if (force) this.actions.push(hit, force);
        }
    }

    private tap(event: PointerEvent, hit: Hit | undefined): void {
        if (event.button !== 0) return;
        if (hit) return this.actions.select(hit);
        const point = this.stage.onGround(...this.share(event));
        if (point) this.actions.ground(point);
    }

    /** How hard: by the distance from where the body was taken, in the plane of the picture. */
    private force(event: PointerEvent): Vector3 | undefined {
        if (!this.hit || !this.plane || this.travelled <= TAP_PX) return undefined;
        const at = this.stage.ray(...this.share(event)).ray.intersectPlane(this.plane, new Vector3());
        return at?.sub(this.hit.point).multiplyScalar(NEWTON_PER_M).clampLength(0, NEWTON_MAX);
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
        if (this.hit) this.actions.aim(this.hit, undefined);
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
