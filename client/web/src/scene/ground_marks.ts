/* Where on the ground one is: at each crossing of the lines ten metres apart, its place in metres, painted on the ground. */
import { CanvasTexture, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, PlaneGeometry, ShaderMaterial } from "three";

const SPACING_M = 10;
const AROUND = 3; // crossings drawn on each side
const GLYPHS = "0123456789-,";
const GLYPH = { wide: 0.3, high: 0.5, left: 0.25, up: 0.4 }; // m; where the text begins, from its crossing
const TEXEL = { wide: 40, high: 64 };
const CAPACITY = (2 * AROUND + 1) ** 2 * 12;

const VERTEX = `
attribute vec3 glyph;
varying vec2 at;
varying float away;
void main() {
    at = vec2((uv.x + glyph.z) / ${GLYPHS.length}.0, uv.y);
    vec4 world = vec4(position.xy + glyph.xy, 0.002, 1.0);
    vec4 seen = viewMatrix * world;
    away = length(seen.xyz);
    gl_Position = projectionMatrix * seen;
}`;

const FRAGMENT = `
uniform vec3 ink;
uniform sampler2D glyphs;
varying vec2 at;
varying float away;
void main() {
    gl_FragColor = vec4(ink, texture2D(glyphs, at).a * (1.0 - smoothstep(18.0, 40.0, away)));
    #include <colorspace_fragment>
}`;

function drawGlyphs(): CanvasTexture {
    const canvas = document.createElement("canvas");
    canvas.width = TEXEL.wide * GLYPHS.length;
    canvas.height = TEXEL.high;
    const context = canvas.getContext("2d")!;
    context.font = `600 ${0.85 * TEXEL.high}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    [...GLYPHS].forEach((glyph, i) => context.fillText(glyph === "-" ? "−" : glyph, (i + 0.5) * TEXEL.wide, TEXEL.high / 2));
    const texture = new CanvasTexture(canvas);
    texture.anisotropy = 4;
    return texture;
}

export class GroundMarks {
    readonly object: Mesh;
    private readonly geometry = new InstancedBufferGeometry();
    private readonly glyphs = new InstancedBufferAttribute(new Float32Array(3 * CAPACITY), 3).setUsage(DynamicDrawUsage);
    private readonly ink = { value: new Color() };
    private at = "";

    constructor() {
        const quad = new PlaneGeometry(GLYPH.wide, GLYPH.high);
        this.geometry.setIndex(quad.index);
        for (const name of ["position", "uv"]) this.geometry.setAttribute(name, quad.getAttribute(name));
        this.geometry.setAttribute("glyph", this.glyphs);
        const uniforms = { ink: this.ink, glyphs: { value: drawGlyphs() } };
        const material = new ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false });
        this.object = new Mesh(this.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 1;
    }

    recolor(ink: Color): void {
        this.ink.value.copy(ink);
    }

    /** Writes the crossings around a point; nothing to do while the nearest one stays the same. */
    follow(x: number, y: number): void {
        const [i, j] = [Math.round(x / SPACING_M), Math.round(y / SPACING_M)];
        if (this.at === `${i} ${j}`) return;
        this.at = `${i} ${j}`;
        let count = 0;
        for (let a = i - AROUND; a <= i + AROUND; a++) for (let b = j - AROUND; b <= j + AROUND; b++) count = this.write(count, SPACING_M * a, SPACING_M * b);
        this.geometry.instanceCount = count;
        this.glyphs.needsUpdate = true;
    }

    /** The text of one crossing, from the count-th glyph on; returns the count after it. */
    private write(count: number, x: number, y: number): number {
        [...`${x},${y}`].forEach((glyph, i) => {
            if (count < CAPACITY) this.glyphs.setXYZ(count++, x + GLYPH.left + i * GLYPH.wide, y + GLYPH.up, GLYPHS.indexOf(glyph));
        });
        return count;
    }
}
