/* Shade on what is below bodies: one soft blot for each shape, darker and smaller the nearer it is. Unlike cast shadows it costs
 * next to nothing, so that no character seems to float, however coarsely the picture is drawn. */
import { Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, PlaneGeometry, ShaderMaterial } from "three";
import type { Shape } from "./mjcf.js";
import { multiplyRotation, rotate } from "./rigid.js";
import type { Foothold, Terrain } from "./terrain.js";

const CAPACITY = 2048; // blots
const HEIGHT_MAX_M = 1.3; // higher up a shape shades nothing
const SPREAD = 0.32; // a blot grows by so much of its shape's height
const EDGE = 2.6; // a blot's half width, of its shape's thickness

const VERTEX = `
attribute vec4 blot;
attribute vec2 look;
attribute vec3 foot;
varying vec2 at;
varying float strength;
void main() {
    at = position.xy;
    strength = look.y;
    float c = cos(look.x), s = sin(look.x);
    vec2 off = mat2(c, s, -s, c) * (position.xy * blot.zw);
    gl_Position = projectionMatrix * viewMatrix * vec4(blot.xy + off, foot.x + dot(foot.yz, off) + 0.003, 1.0);
}`;

const FRAGMENT = `
uniform vec3 ink;
varying vec2 at;
varying float strength;
void main() {
    float inside = max(0.0, 1.0 - dot(at, at));
    gl_FragColor = vec4(ink, strength * inside * inside);
}`;

export class Shade {
    readonly object: Mesh;
    private readonly geometry = new InstancedBufferGeometry();
    private readonly blots = new InstancedBufferAttribute(new Float32Array(4 * CAPACITY), 4).setUsage(DynamicDrawUsage);
    private readonly looks = new InstancedBufferAttribute(new Float32Array(2 * CAPACITY), 2).setUsage(DynamicDrawUsage);
    private readonly feet = new InstancedBufferAttribute(new Float32Array(3 * CAPACITY), 3).setUsage(DynamicDrawUsage);
    private readonly ink = { value: new Color("#000") };
    private strength = 1;
    private count = 0;

    constructor(private readonly terrain: Terrain) {
        const quad = new PlaneGeometry(2, 2);
        this.geometry.setIndex(quad.index);
        this.geometry.setAttribute("position", quad.getAttribute("position"));
        this.geometry.setAttribute("blot", this.blots);
        this.geometry.setAttribute("look", this.looks);
        this.geometry.setAttribute("foot", this.feet);
        const material = new ShaderMaterial({ uniforms: { ink: this.ink }, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });
        this.object = new Mesh(this.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 1;
    }

    recolor(ink: Color): void {
        this.ink.value.copy(ink);
    }

    /** Of a shape that lies on the ground, in [0, 1]. */
    setStrength(strength: number): void {
        this.strength = strength;
    }

    begin(): void {
        this.count = 0;
    }

    /** Below the shapes of one character: pos and rot of all its bodies, world. */
    add(shapes: readonly Shape[], pos: Float32Array, rot: Float32Array): void {
        for (const shape of shapes) if (this.count < CAPACITY) this.addBelow(shape, pos, rot);
    }

    finish(): void {
        this.geometry.instanceCount = this.count;
        this.blots.needsUpdate = this.looks.needsUpdate = this.feet.needsUpdate = true;
    }

    private addBelow({ kind, body, size, pos: offset, rot: turn }: Shape, pos: Float32Array, rot: Float32Array): void {
        rotate(rot, 4 * body, offset, centre);
        const [x, y, z] = [pos[3 * body]! + centre[0]!, pos[3 * body + 1]! + centre[1]!, pos[3 * body + 2]! + centre[2]!];
        if (!this.terrain.under(x, y, z, foothold)) return;
        const height = z - foothold.height;
        if (height > HEIGHT_MAX_M || height < 0) return;
        multiplyRotation(rot, 4 * body, turn, turned);
        const [a, b, c] = size;
        const long = kind === "sphere" ? 0 : kind === "capsule" ? b : Math.max(a, b, c);
        const thick = kind === "box" ? Math.sqrt(a * b * c / long) : a;
        rotate(turned, 0, kind === "box" && long === a ? ALONG_X : kind === "box" && long === b ? ALONG_Y : ALONG_Z, axis);
        const lying = Math.hypot(axis[0]!, axis[1]!);
        const grow = SPREAD * Math.max(0, height - thick);
        const open = thick / (thick + grow);
        this.write(x, y, EDGE * thick + long * lying + grow, EDGE * thick + grow, Math.atan2(axis[1]!, axis[0]!), open ** 1.5);
    }

    private write(x: number, y: number, along: number, across: number, heading: number, open: number): void {
        this.blots.setXYZW(this.count, x, y, along, across);
        this.looks.setXY(this.count, heading, this.strength * open);
        this.feet.setXYZ(this.count, foothold.height, foothold.slopeX, foothold.slopeY);
        this.count++;
    }
}

const ALONG_X = [1, 0, 0];
const ALONG_Y = [0, 1, 0];
const ALONG_Z = [0, 0, 1];
const centre = new Float32Array(3);
const turned = new Float32Array(4);
const axis = new Float32Array(3);
const foothold: Foothold = { height: 0, slopeX: 0, slopeY: 0 };
