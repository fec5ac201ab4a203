/* The ground: tiles of a metre, no two regions alike, that fade into the distance; the shadows upon them. */
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2 } from "three";
import { GroundMarks } from "./ground_marks.js";

const EXTENT_M = 240;

const VERTEX = `
varying vec2 place;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

/* Lines are about a pixel wide at any distance: their width follows the derivative of the place. Each tile of a metre, and each field
 * of five, has a different tone, so that motion over the ground is visible. */
const FRAGMENT = `
uniform vec3 sky, ground, line, lineStrong;
uniform vec2 centre;
uniform float reach;
varying vec2 place;
float lines(vec2 width, float spacing) {
    vec2 at = place / spacing;
    vec2 w = width / spacing;
    vec2 off = abs(fract(at - 0.5) - 0.5) / max(w, vec2(1e-6));
    float strength = 1.0 - min(min(off.x, off.y), 1.0);
    return strength * (1.0 - smoothstep(0.25, 0.7, max(w.x, w.y)));
}
float tone(float size) {
    vec2 tile = floor(place / size);
    return fract(sin(dot(tile, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
}
void main() {
    vec2 width = fwidth(place);
    float near = 1.0 - smoothstep(0.2, 0.6, max(width.x, width.y));
    vec3 color = ground * (1.0 + 0.035 * near * tone(1.0) + 0.05 * tone(5.0));
    color = mix(color, line, lines(width, 1.0));
    color = mix(color, lineStrong, lines(width, 10.0));
    float far = smoothstep(0.15 * reach, reach, distance(place, centre));
    gl_FragColor = vec4(mix(color, sky, far), 1.0);
    #include <colorspace_fragment>
}`;

export interface GroundColors {
    sky: Color;
    ground: Color;
    line: Color;
    lineStrong: Color;
}

export class Ground {
    readonly group = new Group();
    private readonly plane = new Group(); // follows the camera's target
    private readonly marks = new GroundMarks();
    private readonly uniforms = {
        sky: { value: new Color() },
        ground: { value: new Color() },
        line: { value: new Color() },
        lineStrong: { value: new Color() },
        centre: { value: new Vector2() },
        reach: { value: 40 },
    };
    private readonly shadow: ShadowMaterial;

    constructor() {
        const plane = new PlaneGeometry(EXTENT_M, EXTENT_M);
        const tiles = new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT });
        this.shadow = new ShadowMaterial({ opacity: 0.3, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1 });
        const shadows = new Mesh(plane, this.shadow);
        shadows.receiveShadow = true;
        shadows.renderOrder = 1;
        this.plane.add(new Mesh(plane, tiles), shadows);
        this.group.add(this.plane, this.marks.object);
    }

    recolor(colors: GroundColors, shadowOpacity: number): void {
        for (const name of ["sky", "ground", "line", "lineStrong"] as const) this.uniforms[name].value.copy(colors[name]);
        this.marks.recolor(colors.lineStrong);
        this.shadow.opacity = shadowOpacity;
    }

    /** Keeps the plane under the camera's target, seen from `distance` away. */
    follow(x: number, y: number, distance: number): void {
        this.plane.position.set(x, y, 0);
        this.uniforms.centre.value.set(x, y);
        this.uniforms.reach.value = Math.min(EXTENT_M / 2, 14 + 5 * distance);
        this.marks.follow(x, y);
    }
}
