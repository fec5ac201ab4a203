/* The sky: paler towards the horizon, where two lines of far hills tell which way the camera turns. */
import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from "three";

const RADIUS_M = 190; // within the camera's reach, beyond everything else

const VERTEX = `
varying vec3 direction;
void main() {
    direction = position;
    gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
}`;

/* Whole waves around the circle, so that the hills meet themselves. */
const FRAGMENT = `
uniform vec3 zenith, sky, hill;
varying vec3 direction;
float ridge(float angle, float seed) {
    return 0.5 + 0.22 * sin(5.0 * angle + seed) + 0.16 * sin(11.0 * angle + 2.3 * seed) + 0.09 * sin(23.0 * angle + 4.1 * seed) + 0.04 * sin(61.0 * angle + seed);
}
void main() {
    vec3 d = normalize(direction);
    float angle = atan(d.y, d.x);
    vec3 color = mix(sky, zenith, smoothstep(0.0, 0.5, d.z));
    float far = 0.085 * ridge(angle, 1.0), close = 0.045 * ridge(angle, 7.0);
    float edge = fwidth(d.z);
    color = mix(color, mix(sky, hill, 0.45), 1.0 - smoothstep(far - edge, far + edge, d.z));
    color = mix(color, mix(sky, hill, 0.9), 1.0 - smoothstep(close - edge, close + edge, d.z));
    color = mix(color, sky, 1.0 - smoothstep(0.0, 0.03, d.z));
    gl_FragColor = vec4(color, 1.0);
    #include <colorspace_fragment>
}`;

export class Horizon {
    readonly object: Mesh;
    private readonly uniforms = { zenith: { value: new Color() }, sky: { value: new Color() }, hill: { value: new Color() } };

    constructor() {
        const material = new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, side: BackSide, depthWrite: false });
        this.object = new Mesh(new SphereGeometry(RADIUS_M, 48, 24).rotateX(Math.PI / 2), material);
        this.object.renderOrder = -2;
        this.object.frustumCulled = false;
    }

    recolor(colors: { zenith: Color; sky: Color; hill: Color }): void {
        for (const name of ["zenith", "sky", "hill"] as const) this.uniforms[name].value.copy(colors[name]);
    }

    /** Around the camera, on the ground. */
    follow(x: number, y: number): void {
        this.object.position.set(x, y, 0);
    }
}
