/* All characters of one model in one draw call: the skin, moved in the vertex shader by where each character's bodies are.
 *
 * A body's placement is a unit quaternion and a translation, from the skin's stance to the world: two texels a body, a row a character.
 * Placements are blended as dual quaternions (Kavan et al. 2007), which keeps limbs round where blended matrices would pinch them. */
import {
    BufferAttribute, DataTexture, DynamicDrawUsage, FloatType, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, MeshDepthMaterial, MeshStandardMaterial,
    NearestFilter, Quaternion, RGBADepthPacking, RGBAFormat, Vector3, type Color, type Material,
} from "three";
import type { Crowd } from "../crowd.js";
import { INFLUENCES, type Skin } from "./skin.js";

const TEXELS = 2; // a body
const FLOATS = 4 * TEXELS;

const DECLARATIONS = `
attribute vec4 bodies;
attribute vec4 weights;
attribute float light;
attribute float tone;
attribute vec3 paint;
uniform highp sampler2D placements;
varying vec3 skinPaint;
vec4 turn;
vec4 shift;
vec3 turned(vec3 v) {
    return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}
void blendPlacements() {
    turn = shift = vec4(0.0);
    vec4 first = texelFetch(placements, ivec2(${TEXELS} * int(bodies.w), gl_InstanceID), 0);
    for (int i = ${INFLUENCES - 1}; i >= 0 && weights[i] > 0.0; i--) {
        ivec2 at = ivec2(${TEXELS} * int(bodies[i]), gl_InstanceID);
        vec4 q = texelFetch(placements, at, 0);
        vec3 t = texelFetch(placements, at + ivec2(1, 0), 0).xyz;
        float share = dot(first, q) < 0.0 ? -weights[i] : weights[i];
        turn += share * q;
        shift += 0.5 * share * vec4(q.w * t + cross(t, q.xyz), -dot(t, q.xyz));
    }
    float size = length(turn);
    turn /= size;
    shift /= size;
}`;

const POSITION = `
vec3 transformed = turned(position) + 2.0 * (turn.w * shift.xyz - shift.w * turn.xyz + cross(turn.xyz, shift.xyz));
skinPaint = mix(paint, tone < 0.5 ? vec3(0.0) : vec3(1.0), abs(2.0 * tone - 1.0)) * (0.5 + 0.5 * light);`;

/** Writes the skinning into a material's shaders. */
function skinned<M extends Material>(material: M, placements: DataTexture): M {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.placements = { value: placements };
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>\n${DECLARATIONS}`)
            .replace("void main() {", "void main() {\n\tblendPlacements();")
            .replace("#include <beginnormal_vertex>", "vec3 objectNormal = turned(normal);")
            .replace("#include <begin_vertex>", POSITION);
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", "#include <common>\nvarying vec3 skinPaint;")
            .replace("#include <color_fragment>", "diffuseColor.rgb *= skinPaint;");
    };
    return material;
}

export class Troop implements Crowd {
    readonly object: Mesh;
    private readonly geometry = new InstancedBufferGeometry();
    private readonly texture: DataTexture;
    private readonly placements: Float32Array;
    private readonly paint: InstancedBufferAttribute;
    /** From the world into the stance: of each body the inverse rotation, and its position. */
    private readonly stance: { turn: Quaternion; pos: Vector3 }[];

    /** capacity: characters at most. */
    constructor(skin: Skin, capacity: number) {
        const bodyCount = skin.stancePos.length / 3;
        const { stancePos: pos, stanceRot: rot } = skin;
        this.stance = Array.from({ length: bodyCount }, (_, b) => ({
            turn: new Quaternion(-rot[4 * b + 1]!, -rot[4 * b + 2]!, -rot[4 * b + 3]!, rot[4 * b]!),
            pos: new Vector3(pos[3 * b], pos[3 * b + 1], pos[3 * b + 2]),
        }));
        this.placements = new Float32Array(FLOATS * bodyCount * capacity);
        this.texture = new DataTexture(this.placements, TEXELS * bodyCount, capacity, RGBAFormat, FloatType);
        this.texture.minFilter = this.texture.magFilter = NearestFilter;
        this.paint = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
        this.geometry.setAttribute("paint", this.paint);
        this.wear(skin);
        this.object = new Mesh(this.geometry, skinned(new MeshStandardMaterial({ roughness: 0.62 }), this.texture));
        this.object.customDepthMaterial = skinned(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), this.texture);
        this.object.castShadow = this.object.receiveShadow = true;
        this.object.frustumCulled = false;
        this.finish(0);
    }

    /** Another skin of the same model: finer or coarser. */
    wear(skin: Skin): void {
        this.geometry.dispose();
        this.geometry.setIndex(new BufferAttribute(skin.indices, 1));
        this.geometry.setAttribute("position", new BufferAttribute(skin.positions, 3));
        this.geometry.setAttribute("normal", new BufferAttribute(skin.normals, 3));
        this.geometry.setAttribute("bodies", new BufferAttribute(skin.bodies, INFLUENCES));
        this.geometry.setAttribute("weights", new BufferAttribute(skin.weights, INFLUENCES, true));
        this.geometry.setAttribute("light", new BufferAttribute(skin.light, 1, true));
        this.geometry.setAttribute("tone", new BufferAttribute(skin.tone, 1, true));
    }

    place(instance: number, pos: Float32Array, rot: Float32Array): void {
        let out = FLOATS * this.stance.length * instance;
        this.stance.forEach(({ turn, pos: bound }, b) => {
            scratchTurn.set(rot[4 * b + 1]!, rot[4 * b + 2]!, rot[4 * b + 3]!, rot[4 * b]!).multiply(turn);
            scratchPos.copy(bound).applyQuaternion(scratchTurn);
            scratchTurn.toArray(this.placements, out);
            for (let k = 0; k < 3; k++) this.placements[out + 4 + k] = pos[3 * b + k]! - scratchPos.getComponent(k);
            out += FLOATS;
        });
    }

    paintIn(instance: number, color: Color): void {
        color.toArray(this.paint.array, 3 * instance);
        this.paint.needsUpdate = true;
    }

    finish(count: number): void {
        this.geometry.instanceCount = count;
        this.object.visible = count > 0;
        this.texture.needsUpdate = true;
    }

    destroy(): void {
        this.geometry.dispose();
        this.texture.dispose();
    }
}

const scratchTurn = new Quaternion();
const scratchPos = new Vector3();
