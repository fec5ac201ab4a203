/* Everything that is drawn: renderer, light, ground, cast, props, arrows, the ring under the one selected. */
import {
    DirectionalLight,
    HemisphereLight,
    Mesh,
    MeshBasicMaterial,
    PCFShadowMap,
    Plane,
    Raycaster,
    RingGeometry,
    Scene,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import type { WorldState } from "troupe-client";
import type { Sample } from "../state/playback.js";
import { Arrows } from "./arrows.js";
import { Cast } from "./cast.js";
import { Ground } from "./ground.js";
import { Orbit } from "./orbit.js";
import { readPalette } from "./palette.js";
import { Props } from "./props.js";
import { Quality } from "./quality.js";

const CONTACT_M_PER_N = 0.0006;
const PUSH_M_PER_N = 0.005;
const ARROW_MAX_M = 1.2;
const SUN = new Vector3(-5, -4.5, 9);

export interface Shown {
    contacts: boolean;
    pushes: boolean;
    shadows: boolean;
}

export class Stage {
    readonly cast = new Cast();
    readonly props = new Props();
    readonly orbit = new Orbit();
    readonly shown: Shown = { contacts: true, pushes: true, shadows: true };
    private readonly scene = new Scene();
    private readonly ground = new Ground();
    private readonly contacts = new Arrows(0.012);
    private readonly pushes = new Arrows(0.03);
    private readonly drag = new Arrows(0.03, true);
    private readonly ring: Mesh;
    private readonly goal: Mesh;
    private readonly sun = new DirectionalLight("#fff", 2.6);
    private readonly sky = new HemisphereLight("#fff", "#999", 1.6);
    private readonly renderer: WebGLRenderer;
    private readonly raycaster = new Raycaster();
    private readonly quality = new Quality();
    private lastMs = 0;

    constructor(canvas: HTMLCanvasElement) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
        this.quality.begin(rendererOf(this.renderer));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.ring = new Mesh(new RingGeometry(0.38, 0.415, 64), new MeshBasicMaterial({ transparent: true, depthWrite: false }));
        this.goal = new Mesh(new RingGeometry(0.12, 0.2, 40), new MeshBasicMaterial({ transparent: true, depthWrite: false }));
        this.ring.visible = this.goal.visible = false;
        this.ring.renderOrder = this.goal.renderOrder = 2;
        this.light();
        this.scene.add(this.ground.group, this.cast.group, this.props.group, this.ring, this.goal);
        this.scene.add(this.contacts.group, this.pushes.group, this.drag.group);
        this.recolor();
    }

    /** After the colour scheme changed. */
    recolor(): void {
        const palette = readPalette();
        const dark = palette.sky.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
        this.scene.background = palette.sky;
        this.ground.recolor(palette, dark ? 0.55 : 0.28);
        this.props.recolor(palette.prop, palette.scenery, palette.accent);
        this.contacts.recolor(palette.contact);
        this.pushes.recolor(palette.push);
        this.drag.recolor(palette.push);
        (this.ring.material as MeshBasicMaterial).color.copy(palette.accent);
        (this.goal.material as MeshBasicMaterial).color.copy(palette.accent);
        this.sky.intensity = dark ? 1.1 : 1.7;
        this.sun.intensity = dark ? 2.2 : 2.5;
    }

    resize(width: number, height: number): void {
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.now.pixels));
        this.renderer.setSize(width, height, false);
        this.orbit.camera.aspect = width / Math.max(1, height);
        this.orbit.camera.updateProjectionMatrix();
    }

    setShadows(on: boolean): void {
        this.shown.shadows = on;
        this.sun.castShadow = on && this.quality.now.shadow > 0;
    }

    /** Moves everything to a moment; stepS: the world's step, which turns impulses into forces. */
    update(sample: Sample, selected: number | undefined, stepS: number): void {
        this.cast.update(sample);
        this.props.update(sample);
        this.ground.group.visible = this.props.ground;
        this.showContacts(sample.from, stepS);
        this.pushes.clear();
        if (this.shown.pushes)
            for (const push of sample.from.pushes) this.pushes.add(push.pos, scaled(push.force, PUSH_M_PER_N));
        const drawn = selected === undefined ? undefined : this.cast.drawn.get(selected);
        this.ring.visible = drawn !== undefined;
        if (drawn) this.ring.position.set(drawn.pos[0]!, drawn.pos[1]!, 0.004);
    }

    showDrag(from?: Vector3, force?: Vector3): void {
        this.drag.clear();
        if (from && force) this.drag.add(from.toArray(), scaled(force.toArray(), PUSH_M_PER_N));
    }

    showGoal(at?: { x: number; y: number }): void {
        this.goal.visible = at !== undefined;
        if (at) this.goal.position.set(at.x, at.y, 0.004);
    }

    render(nowMs: number): void {
        if (this.quality.frame(nowMs - this.lastMs)) this.adapt();
        this.lastMs = nowMs;
        this.orbit.update();
        const { target, distance } = this.orbit;
        this.ground.follow(target.x, target.y, distance);
        this.sun.position.copy(target).add(SUN);
        this.sun.target.position.copy(target);
        const reach = Math.min(30, Math.max(3, distance * 0.75));
        const camera = this.sun.shadow.camera;
        if (Math.abs(camera.right - reach) > 0.15 * reach) {
            camera.left = camera.bottom = -reach;
            camera.right = camera.top = reach;
            camera.updateProjectionMatrix();
        }
        this.renderer.render(this.scene, this.orbit.camera);
    }

    /** Waits until the picture is drawn, and not only asked for: a pixel is read back. */
    finish(): void {
        const gl = this.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    }

    /** A ray through a point of the picture, in [-1, 1]. */
    ray(x: number, y: number): Raycaster {
        this.raycaster.setFromCamera(new Vector2(x, y), this.orbit.camera);
        return this.raycaster;
    }

    /** Where a ray meets the ground. */
    onGround(x: number, y: number): Vector3 | undefined {
        return this.ray(x, y).ray.intersectPlane(new Plane(new Vector3(0, 0, 1), 0), new Vector3()) ?? undefined;
    }

    /** A world point as pixels of the picture; undefined behind the camera. */
    project(point: Vector3, width: number, height: number, out: Vector3): boolean {
        out.copy(point).project(this.orbit.camera);
        out.set(((out.x + 1) / 2) * width, ((1 - out.y) / 2) * height, out.z);
        return out.z < 1;
    }

    destroy(): void {
        this.renderer.dispose();
        this.renderer.forceContextLoss();
    }

    /** To the level of quality that the machine can keep up with. */
    private adapt(): void {
        const { shadow } = this.quality.now;
        const { clientWidth, clientHeight } = this.renderer.domElement;
        this.resize(clientWidth, clientHeight);
        this.sun.castShadow = this.shown.shadows && shadow > 0;
        if (shadow === 0) return;
        this.sun.shadow.mapSize.set(shadow, shadow);
        this.sun.shadow.map?.dispose();
        this.sun.shadow.map = null;
    }

    private light(): void {
        this.sky.position.set(0, 0, 1);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(this.quality.now.shadow);
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.02;
        this.sun.shadow.radius = 2.5;
        this.sun.shadow.camera.near = 0.5;
        this.sun.shadow.camera.far = 40;
        this.scene.add(this.sky, this.sun, this.sun.target);
    }

    private showContacts(state: WorldState, stepS: number): void {
        this.contacts.clear();
        if (!this.shown.contacts) return;
        for (const contact of state.contacts)
            this.contacts.add(contact.pos, scaled(contact.impulse, CONTACT_M_PER_N / stepS));
    }
}

function rendererOf(renderer: WebGLRenderer): string {
    const gl = renderer.getContext();
    const told = gl.getExtension("WEBGL_debug_renderer_info");
    return String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

/** A force as an arrow's vector, not longer than a person is tall. */
function scaled(force: ArrayLike<number>, scale: number): number[] {
    const length = Math.hypot(force[0]!, force[1]!, force[2]!) * scale;
    const by = length > ARROW_MAX_M ? (scale * ARROW_MAX_M) / length : scale;
    return [force[0]! * by, force[1]! * by, force[2]! * by];
}
