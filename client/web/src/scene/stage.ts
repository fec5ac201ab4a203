/* Everything that is drawn: renderer, light, ground, cast, props, arrows, the ring under the selected character. */
import { Mesh, MeshBasicMaterial, PCFShadowMap, Plane, Raycaster, RingGeometry, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import type { WorldState } from "troupe-client";
import type { Sample } from "../state/playback.js";
import { Arrows } from "./arrows.js";
import { Cast } from "./cast.js";
import { Ground } from "./ground.js";
import { Horizon } from "./horizon.js";
import { Light } from "./light.js";
import { Orbit } from "./orbit.js";
import { readPalette } from "./palette.js";
import { Props } from "./props.js";
import { Quality } from "./quality.js";
import { Scenery } from "./scenery.js";
import type { Foothold } from "./terrain.js";

const CONTACT_M_PER_N = 0.0006;
const PUSH_M_PER_N = 0.005;
const ARROW_MAX_M = 1.2;
const ABOVE_GROUND_M = 0.004; // rings: over the shade
/** How dark the sun's shadows are, and the shade below bodies with and without them. */
const DARK = { shadows: 0.55, shade: [0.3, 0.75] } as const;
const BRIGHT = { shadows: 0.26, shade: [0.2, 0.48] } as const;

/** What can be shown or hidden. */
export interface Shown {
    contacts: boolean;
    pushes: boolean;
    shadows: boolean;
    /** The shapes that are simulated, instead of bodies. */
    shapes: boolean;
}

export class Stage {
    readonly cast = new Cast();
    readonly props = new Props();
    private readonly scenery = new Scenery();
    readonly orbit = new Orbit();
    readonly shown: Shown = { contacts: true, pushes: true, shadows: true, shapes: false };
    private readonly scene = new Scene();
    private readonly ground = new Ground();
    private readonly horizon = new Horizon();
    private readonly light = new Light();
    private readonly contacts = new Arrows(0.012);
    private readonly pushes = new Arrows(0.03);
    private readonly drag = new Arrows(0.03, true);
    private readonly ring = makeRing(0.38, 0.415);
    private readonly goal = makeRing(0.12, 0.2);
    private readonly renderer: WebGLRenderer;
    private readonly raycaster = new Raycaster();
    private readonly quality = new Quality();
    private tones: typeof DARK | typeof BRIGHT = BRIGHT;
    private lastMs = 0;

    constructor(private readonly canvas: HTMLCanvasElement) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.quality.begin(rendererOf(this.renderer));
        this.scene.add(this.horizon.object, this.ground.group, this.light.group, this.cast.group, this.props.group, this.scenery.group, this.ring, this.goal);
        this.scene.add(this.contacts.group, this.pushes.group, this.drag.group);
        this.recolor();
        this.adapt();
    }

    /** After the colour scheme changed. */
    recolor(): void {
        const palette = readPalette();
        this.tones = palette.dark ? DARK : BRIGHT;
        this.light.recolor(palette.dark);
        this.horizon.recolor(palette);
        this.ground.recolor(palette, this.tones.shadows);
        this.cast.shade.recolor(palette.shade);
        this.props.recolor(palette.prop);
        this.scenery.recolor(palette.scenery, palette.accent);
        this.contacts.recolor(palette.contact);
        this.pushes.recolor(palette.push);
        this.drag.recolor(palette.push);
        for (const { material } of [this.ring, this.goal]) material.color.copy(palette.accent);
        this.castShadows();
    }

    resize(width: number, height: number): void {
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.now.pixels));
        this.renderer.setSize(width, height, false);
        this.orbit.camera.aspect = width / Math.max(1, height);
        this.orbit.camera.updateProjectionMatrix();
    }

    /** Shows something, or hides it. */
    show(what: keyof Shown, on: boolean): void {
        this.shown[what] = on;
        if (what === "shadows") this.castShadows();
        if (what === "shapes") this.cast.showShapes(on);
    }

    /** Takes the shapes of objects and scenery out of a state that has them. */
    learn(state: WorldState): void {
        this.props.learn(state);
        if (this.scenery.set(state.scenery)) this.cast.terrain.set(this.scenery.solids);
        this.ground.group.visible = this.cast.terrain.floor = !state.noGround;
    }

    /** Moves everything to a moment; stepS: the world's step, which turns impulses into forces. */
    update(sample: Sample, selected: number | undefined, stepS: number): void {
        this.cast.update(sample);
        this.props.update(sample);
        this.showContacts(sample.from, stepS);
        this.pushes.clear();
        if (this.shown.pushes) for (const push of sample.from.pushes) this.pushes.add(push.pos, scaled(push.force, PUSH_M_PER_N));
        const drawn = selected === undefined ? undefined : this.cast.drawn.get(selected);
        this.ring.visible = drawn !== undefined && this.layDown(this.ring, drawn.pos[0]!, drawn.pos[1]!, drawn.pos[2]!);
    }

    showDrag(from?: Vector3, force?: Vector3): void {
        this.drag.clear();
        if (from && force) this.drag.add(from.toArray(), scaled(force.toArray(), PUSH_M_PER_N));
    }

    showGoal(at?: Vector3): void {
        this.goal.visible = at !== undefined && this.layDown(this.goal, at.x, at.y, at.z);
    }

    render(nowMs: number): void {
        if (this.quality.frame(nowMs - this.lastMs)) this.adapt();
        this.lastMs = nowMs;
        this.draw();
    }

    /** The picture as it is now, `scale` times as fine as the page. */
    picture(scale: number): Promise<Blob | null> {
        const { clientWidth, clientHeight } = this.canvas;
        this.renderer.setPixelRatio(scale);
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.draw();
        const taken = new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/png"));
        this.resize(clientWidth, clientHeight);
        this.draw();
        return taken;
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

    /** Where a ray meets the ground, or what stands on it. */
    onGround(x: number, y: number): Vector3 | undefined {
        const raycaster = this.ray(x, y);
        const floor = this.cast.terrain.floor && raycaster.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), 0), new Vector3());
        const [met] = raycaster.intersectObjects(this.scenery.solids, false);
        const nearer = met && (!floor || met.distance < floor.distanceTo(raycaster.ray.origin));
        return nearer ? met.point : floor || undefined;
    }

    /** out = a world point in pixels of the picture. False: it is behind the camera. */
    project(point: Vector3, width: number, height: number, out: Vector3): boolean {
        out.copy(point).project(this.orbit.camera);
        out.set(((out.x + 1) / 2) * width, ((1 - out.y) / 2) * height, out.z);
        return out.z < 1;
    }

    destroy(): void {
        this.cast.destroy();
        this.renderer.dispose();
        this.renderer.forceContextLoss();
    }

    /** Puts a ring on what is below a place, and turns it to its slope. False: nothing is there. */
    private layDown(ring: Mesh, x: number, y: number, z: number): boolean {
        if (!this.cast.terrain.under(x, y, z, foothold)) return false;
        const { height, slopeX, slopeY } = foothold;
        ring.position.set(x, y, height + ABOVE_GROUND_M);
        ring.quaternion.setFromUnitVectors(UP, normal.set(-slopeX, -slopeY, 1).normalize());
        return true;
    }

    private draw(): void {
        this.orbit.update();
        const { camera, target, distance } = this.orbit;
        this.ground.follow(target.x, target.y, distance);
        this.horizon.follow(camera.position.x, camera.position.y);
        this.light.follow(target, distance);
        this.renderer.render(this.scene, camera);
    }

    /** To the level of quality that the machine can keep up with. */
    private adapt(): void {
        this.resize(this.canvas.clientWidth, this.canvas.clientHeight);
        this.cast.setDetail(this.quality.now.detail);
        this.castShadows();
    }

    private castShadows(): void {
        const texels = this.shown.shadows ? this.quality.now.shadow : 0;
        this.light.setShadows(texels);
        this.cast.shade.setStrength(this.tones.shade[texels > 0 ? 0 : 1]);
    }

    private showContacts(state: WorldState, stepS: number): void {
        this.contacts.clear();
        if (!this.shown.contacts) return;
        for (const contact of state.contacts) this.contacts.add(contact.pos, scaled(contact.impulse, CONTACT_M_PER_N / stepS));
    }
}

const UP = new Vector3(0, 0, 1);
const normal = new Vector3();
const foothold: Foothold = { height: 0, slopeX: 0, slopeY: 0 };

function makeRing(inner: number, outer: number): Mesh<RingGeometry, MeshBasicMaterial> {
    const ring = new Mesh(new RingGeometry(inner, outer, 64), new MeshBasicMaterial({ transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -8, polygonOffsetUnits: -8 }));
    ring.visible = false;
    ring.renderOrder = 2;
    return ring;
}

function rendererOf(renderer: WebGLRenderer): string {
    const gl = renderer.getContext();
    const unmasked = gl.getExtension("WEBGL_debug_renderer_info");
    return String(gl.getParameter(unmasked ? unmasked.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

/** A force as an arrow's vector, not longer than a person is tall. */
function scaled(force: ArrayLike<number>, scale: number): number[] {
    const length = Math.hypot(force[0]!, force[1]!, force[2]!) * scale;
    const by = length > ARROW_MAX_M ? (scale * ARROW_MAX_M) / length : scale;
    return [force[0]! * by, force[1]! * by, force[2]! * by];
}
