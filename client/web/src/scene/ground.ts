/* The ground: a grid of metres that fades into the distance, and the shadows upon it. */
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2 } from "three";

const EXTENT_M = 240;

const VERTEX = `
varying vec2 place;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

/* Lines are about a pixel wide at any distance: their width follows the derivative of the place. */
const FRAGMENT = `
uniform vec3 sky, ground, line, lineStrong;
uniform vec2 centre;
uniform float reach;
varying vec2 place;
float lines(float spacing) {
    vec2 at = place / spacing;
    vec2 width = fwidth(at);
    vec2 off = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
    float strength = 1.0 - min(min(off.x, off.y), 1.0);
    return strength * (1.0 - smoothstep(0.25, 0.7, max(width.x, width.y)));
}
void main() {
    vec3 color = mix(ground, line, lines(1.0));
    color = mix(color, lineStrong, lines(10.0));
    float far = smoothstep(0.15 * reach, reach, distance(place, centre));
    gl_FragColor = vec4(mix(color, sky, far), 1.0);
    #include <colorspace_fragment>
}`;

export class Ground {
    readonly group = new Group();
    private readonly uniforms = {
        sky: { value: new Color() },
        ground: { value: new Color() },
        line: { value: new Color() },
        lineStrong: { value: new Color() },
        centre: { value: new Vector2() },
        reach: { value: 40 },
    };
    private readonly shade: ShadowMaterial;

    constructor() {
        const plane = new PlaneGeometry(EXTENT_M, EXTENT_M);
        const grid = new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT });
        this.shade = new ShadowMaterial({ opacity: 0.3, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1 });
        const floor = new Mesh(plane, grid);
        const shadow = new Mesh(plane, this.shade);
        shadow.receiveShadow = true;
        shadow.renderOrder = 1;
        this.group.add(floor, shadow);
    }

    recolor(colors: { sky: Color; ground: Color; line: Color; lineStrong: Color }, shadowOpacity: number): void {
        for (const name of ["sky", "ground", "line", "lineStrong"] as const) this.uniforms[name].value.copy(colors[name]);
        this.shade.opacity = shadowOpacity;
    }

    /** Keeps the plane under what is looked at. */
    follow(x: number, y: number, distance: number): void {
        this.group.position.set(x, y, 0);
        this.uniforms.centre.value.set(x, y);
        this.uniforms.reach.value = Math.min(EXTENT_M / 2, 14 + 5 * distance);
    }
}
