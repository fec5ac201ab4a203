/* Moments of one motion side by side, as photographs of motion were once taken: a still picture without a world. */
import { Color, OrthographicCamera, Mesh, PlaneGeometry, Scene, ShadowMaterial, Vector3, WebGLRenderer } from "three";
import { SkinMaker } from "./figure/skin_maker.js";
import type { Plan } from "./figure/plan.js";
import { Troop } from "./figure/troop.js";
import { Light } from "./light.js";
import { readPalette } from "./palette.js";

export interface Moment {
    /** [body][3], from where it stands, and [body][4] (w, x, y, z). */
    pos: readonly number[];
    rot: readonly number[];
}

const SPACING_M = 0.52;
const HIGH_M = 2.15;
const MARGIN_M = 0.6;
const CELL_M = 0.018;
const COLORS = { first: new Color("#c3ccd4"), last: new Color("#3f86c6") };
const SHADOW_TEXELS = 2048;
const LOW = new Vector3(0, -8, 1.35); // direction to the camera

export class Frieze {
    private readonly renderer: WebGLRenderer;
    private readonly scene = new Scene();
    private readonly camera = new OrthographicCamera();
    private readonly light = new Light();
    private readonly shadow = new ShadowMaterial({ opacity: 0.22 });
    private readonly maker = new SkinMaker();
    private readonly width: number;
    private troop: Troop | undefined;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly moments: readonly Moment[],
    ) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
        this.renderer.shadowMap.enabled = true;
        this.width = SPACING_M * (moments.length - 1) + 2 * MARGIN_M;
        this.camera.up.set(0, 0, 1);
        this.camera.position.copy(LOW);
        this.camera.lookAt(0, 0, 0.5 * HIGH_M);
        this.light.setShadows(SHADOW_TEXELS);
        this.light.follow(new Vector3(0, 0, 1), this.width);
        const ground = new Mesh(new PlaneGeometry(4 * this.width, this.width), this.shadow);
        ground.receiveShadow = true;
        this.scene.add(this.light.group, ground);
    }

    /** Width of the picture divided by its height. */
    get aspect(): number {
        return this.width / HIGH_M;
    }

    async show(plan: Plan): Promise<void> {
        const troop = new Troop(await this.maker.make(plan, CELL_M), this.moments.length);
        this.troop = troop;
        this.moments.forEach(({ pos, rot }, i) => {
            const x = SPACING_M * (i - (this.moments.length - 1) / 2);
            troop.place(i, Float32Array.from(pos, (value, k) => value + (k % 3 === 0 ? x : 0)), Float32Array.from(rot));
            troop.paintIn(i, COLORS.first.clone().lerp(COLORS.last, i / (this.moments.length - 1)));
        });
        troop.finish(this.moments.length);
        this.scene.add(troop.object);
        this.draw();
    }

    /** Draws it again after a change of its size or the colour scheme. */
    draw(): void {
        const { dark } = readPalette();
        this.light.recolor(dark);
        this.shadow.opacity = dark ? 0.5 : 0.22;
        this.camera.left = -this.width / 2;
        this.camera.right = this.width / 2;
        this.camera.top = HIGH_M / 2;
        this.camera.bottom = -HIGH_M / 2;
        this.camera.updateProjectionMatrix();
        this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
        this.renderer.setSize(this.canvas.clientWidth, this.canvas.clientHeight, false);
        this.renderer.render(this.scene, this.camera);
    }

    destroy(): void {
        this.maker.destroy();
        this.troop?.destroy();
        this.renderer.dispose();
        this.renderer.forceContextLoss();
    }
}
