/* Sun and sky. */
import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";

const SUN = new Vector3(-5, -4.5, 9); // from the camera's target
const REACH_M = { min: 3, max: 30, share: 0.75 }; // of the shadows around it, by the camera's distance
const CHANGE = 0.15; // of the reach: smaller ones are not worth a new shadow camera

export class Light {
    readonly group = new Group();
    private readonly sun = new DirectionalLight("#fff", 2.6);
    private readonly sky = new HemisphereLight("#fff", "#999", 1.6);

    constructor() {
        this.sky.position.set(0, 0, 1);
        const { shadow } = this.sun;
        shadow.bias = -0.0004;
        shadow.normalBias = 0.02;
        shadow.radius = 2.5;
        shadow.camera.near = 0.5;
        shadow.camera.far = 40;
        this.group.add(this.sky, this.sun, this.sun.target);
    }

    recolor(dark: boolean): void {
        this.sky.intensity = dark ? 1.25 : 1.9;
        this.sky.groundColor.set(dark ? "#5b626a" : "#b9b3ab");
        this.sun.intensity = dark ? 2.1 : 2.3;
    }

    /** texels: along a side of the shadow map; 0: the sun casts no shadows. */
    setShadows(texels: number): void {
        const { shadow } = this.sun;
        this.sun.castShadow = texels > 0;
        if (texels === 0 || shadow.mapSize.x === texels) return;
        shadow.mapSize.setScalar(texels);
        shadow.map?.dispose();
        shadow.map = null;
    }

    /** Sets the shadows around the camera's target, seen from `distance` away. */
    follow(target: Vector3, distance: number): void {
        this.sun.position.copy(target).add(SUN);
        this.sun.target.position.copy(target);
        const reach = Math.min(REACH_M.max, Math.max(REACH_M.min, distance * REACH_M.share));
        const { camera } = this.sun.shadow;
        if (Math.abs(camera.right - reach) <= CHANGE * reach) return;
        camera.left = camera.bottom = -reach;
        camera.right = camera.top = reach;
        camera.updateProjectionMatrix();
    }
}
