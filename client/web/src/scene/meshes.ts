/* Characters in a mesh of the user's: a copy of it for each, its bones turned as client/js's retargeter says. */
import { Group, Matrix4, Mesh, PropertyBinding, Quaternion, SkinnedMesh, TextureLoader, Vector3, type Bone as BoneNode, type Material, type Object3D, type Texture } from "three";
import { GLTFLoader, type GLTF, type GLTFParser } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { bonesOf, Retargeter, type Bone, type ModelDetail } from "troupe-client";
import godot from "../../../rigs/godot.json";
import mixamo from "../../../rigs/mixamo.json";
import unity from "../../../rigs/unity.json";
import unreal from "../../../rigs/unreal.json";
import vrm from "../../../rigs/vrm.json";
import type { Crowd } from "./crowd.js";

export type RigMap = Parameters<typeof bonesOf>[0];

const MAPS: readonly { name: string; bones: Record<string, string> }[] = [mixamo, vrm, unreal, godot, unity];
const LEGS = ["pelvis", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot"]; // the retargeter's least
const NAMES_SHOWN = 6;

/** A mesh that was read: its nodes, parents first, and where each is as the mesh is bound. Bones have keys, as some have no name. */
interface Rig {
    scene: Object3D;
    nodes: readonly Object3D[];
    bound: ReadonlyMap<Object3D, Matrix4>;
    keys: readonly string[];
    bones: ReadonlyMap<string, string>;
}

/* --- reading --- */

/** Images by way of <img>: what else three.js would use asks for addresses that the daemon's policy forbids. */
function withImages(parser: GLTFParser): { name: string } {
    parser.textureLoader = new TextureLoader(parser.options.manager);
    return { name: "images" };
}

/** Throws an Error that names the file, what it lacks, and what to do. */
async function readRig(name: string, data: ArrayBuffer, map: RigMap | undefined): Promise<Rig> {
    const gltf = await new GLTFLoader().register(withImages).parseAsync(data, "").catch((error: Error) => {
        throw new Error(`${name}: expected a binary glTF file (.glb) without compressed meshes: ${error.message}`);
    });
    const nodes: Object3D[] = [];
    const skins: SkinnedMesh[] = [];
    gltf.scene.updateMatrixWorld(true);
    gltf.scene.traverse((node) => void nodes.push(node));
    for (const node of nodes) if (node instanceof SkinnedMesh) skins.push(node);
    if (skins.length === 0) throw new Error(`${name}: it has no skinned mesh; expected one whose vertices follow bones`);
    const keys = nodes.map((node, i) => node.name || `#${i}`);
    const of = new Map(nodes.map((node, i) => [node, keys[i]!]));
    const bones = map ? given(name, map, keys) : ((await byHumanoid(gltf, of)) ?? byName(name, skins[0]!.skeleton.bones, of));
    return { scene: gltf.scene, nodes, keys, bones, bound: boundPlaces(nodes, skins, nodes[keys.indexOf(bones.get("pelvis")!)]!) };
}

/** three.js takes signs out of names of nodes. */
const plain = (name: string) => PropertyBinding.sanitizeNodeName(name);

function given(name: string, map: RigMap, keys: readonly string[]): Map<string, string> {
    const bones = new Map([...bonesOf(map)].map(([body, bone]) => [body, plain(bone)]));
    for (const [body, bone] of bones) if (!keys.includes(bone)) throw new Error(`${name}: it has no bone '${bone}', which the map names for '${body}'`);
    return bones;
}

/** VRM says which bone is which. */
async function byHumanoid(gltf: GLTF, of: ReadonlyMap<Object3D, string>): Promise<Map<string, string> | undefined> {
    const { VRM, VRMC_vrm } = (gltf.parser.json.extensions ?? {}) as { VRM?: { humanoid: { humanBones: { bone: string; node: number }[] } }; VRMC_vrm?: { humanoid: { humanBones: Record<string, { node: number }> } } };
    const list: [string, number][] = VRMC_vrm ? Object.entries(VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, node]) : (VRM?.humanoid.humanBones ?? []).map(({ bone, node }) => [bone, node]);
    if (list.length === 0) return undefined;
    const nodes = new Map<string, string>();
    for (const [bone, node] of list) nodes.set(bone.toLowerCase(), of.get(await gltf.parser.getDependency("node", node))!);
    const found = Object.entries(godot.bones).map(([body, bone]): [string, string | undefined] => [body, nodes.get(bone.toLowerCase())]);
    return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** By the map of client/rigs that knows most of its bones; a number that an exporter adds to Mixamo's prefix does not matter. */
function byName(name: string, bones: readonly BoneNode[], of: ReadonlyMap<Object3D, string>): Map<string, string> {
    const common = (bone: string) => plain(bone).replace(/^mixamorig\d*_?/, "");
    const keys = new Map(bones.map((bone) => [common(bone.name), of.get(bone)!]));
    const found = MAPS.map((map) => new Map(Object.entries(map.bones).flatMap(([body, bone]) => (keys.has(common(bone)) ? [[body, keys.get(common(bone))!] as [string, string]] : []))));
    const best = found.reduce((a, b) => (b.size > a.size ? b : a));
    if (LEGS.every((body) => best.has(body))) return best;
    const some = bones.slice(0, NAMES_SHOWN).map((bone) => `'${bone.name}'`).join(", ");
    throw new Error(`${name}: its bones (${some}, ...) fit no map of ${MAPS.map((map) => map.name).join(", ")}: make one with 'troupe-train body ${name} --out body.xml --map map.json', and choose both files`);
}

/** Where vertices are fixed to bones; nodes between and above them as in the file. A skin says it up to one transform of all its
 * bones, which is chosen so that the hips stay where the file has them. */
function boundPlaces(nodes: readonly Object3D[], skins: readonly SkinnedMesh[], hips: Object3D): Map<Object3D, Matrix4> {
    const bound = new Map<Object3D, Matrix4>();
    for (const { skeleton } of skins) {
        const known = skeleton.bones.findIndex((bone) => bound.has(bone) || bone === hips);
        const first = skeleton.bones[Math.max(0, known)]!;
        const all = (bound.get(first) ?? first.matrixWorld).clone().multiply(skeleton.boneInverses[Math.max(0, known)]!);
        skeleton.bones.forEach((bone, i) => {
            if (!bound.has(bone)) bound.set(bone, all.clone().multiply(skeleton.boneInverses[i]!.clone().invert()));
        });
    }
    for (const node of nodes)
        if (!bound.has(node)) bound.set(node, node.parent && bound.has(node.parent) ? bound.get(node.parent)!.clone().multiply(node.matrix) : node.matrixWorld.clone());
    return bound;
}

/* --- moving --- */

const scratch = { pos: new Vector3(), turn: new Quaternion(), scale: new Vector3() };

function boneOf(rig: Rig, node: Object3D): Bone {
    const { pos, turn, scale } = scratch;
    rig.bound.get(node)!.decompose(pos, turn, scale);
    const parent = node.parent ? rig.keys[rig.nodes.indexOf(node.parent)] : undefined;
    return { parent, pos: [pos.x, pos.y, pos.z], rot: [turn.w, turn.x, turn.y, turn.z] };
}

export class Meshes implements Crowd {
    readonly object = new Group();
    private readonly retargeter: Retargeter;
    /** Of each character the copy, and its nodes that the retargeter turns, in the order of their names. */
    private readonly copies: { root: Object3D; turned: Map<string, Object3D> }[] = [];
    private readonly hipsFrom: Matrix4; // into the frame of the hips' parent
    private readonly turning: ReadonlySet<string>;

    private constructor(
        private readonly rig: Rig,
        model: ModelDetail,
    ) {
        const { keys, nodes, bones, bound } = rig;
        this.retargeter = new Retargeter(model.bodies, new Map(keys.map((key, i) => [key, boneOf(rig, nodes[i]!)])), bones);
        for (const node of nodes) if (node instanceof Mesh) Object.assign(node, { castShadow: true, receiveShadow: true, frustumCulled: false });
        nodes.forEach((node) => this.bind(node));
        const hips = nodes[keys.indexOf(bones.get("pelvis")!)]!;
        this.hipsFrom = hips.parent ? bound.get(hips.parent)!.clone().invert() : new Matrix4();
        const named = new Set(bones.values()); // one of them may move no vertex
        this.turning = new Set(keys.filter((key, i) => "isBone" in nodes[i]! || named.has(key)));
        const [w, x, y, z] = this.retargeter.axes;
        this.object.quaternion.set(-x, -y, -z, w);
        this.object.scale.setScalar(1 / this.retargeter.scale);
    }

    /** map: of client/rigs or `troupe-train body --map`; undefined: found by the names of the bones. Throws an Error that says what
     * the file, of that name, lacks. */
    static async read(name: string, data: ArrayBuffer, map: RigMap | undefined, model: ModelDetail): Promise<Meshes> {
        const rig = await readRig(name, data, map);
        try {
            return new Meshes(rig, model);
        } catch (error) {
            throw new Error(`${name}: ${(error as Error).message}`);
        }
    }

    place(instance: number, pos: Float32Array, rot: Float32Array): void {
        const { turned } = this.copy(instance);
        const pose = this.retargeter.pose(pos, rot);
        for (const [key, node] of turned) {
            const [w, x, y, z] = pose.rotation.get(key)!;
            node.quaternion.set(x, y, z, w);
        }
        turned.get(pose.root)!.position.set(...pose.rootPos).applyMatrix4(this.hipsFrom);
    }

    /** It has its own colours. */
    paintIn(): void {}

    finish(count: number): void {
        this.copies.forEach(({ root }, i) => (root.visible = i < count));
    }

    destroy(): void {
        for (const { root } of this.copies) root.traverse((node) => node instanceof SkinnedMesh && node.skeleton.dispose());
        for (const node of this.rig.nodes)
            if (node instanceof Mesh) {
                node.geometry.dispose();
                for (const material of [node.material].flat() as Material[]) {
                    for (const value of Object.values(material)) if (value?.isTexture) (value as Texture).dispose();
                    material.dispose();
                }
            }
    }

    /** Puts a node where the mesh is bound, beside its parent. */
    private bind(node: Object3D): void {
        if (!("isBone" in node) || !node.parent) return;
        const { turn, scale } = scratch;
        this.rig.bound.get(node.parent)!.clone().invert().multiply(this.rig.bound.get(node)!).decompose(node.position, turn, scale);
    }

    private copy(instance: number): { root: Object3D; turned: Map<string, Object3D> } {
        while (this.copies.length <= instance) {
            const root = clone(this.rig.scene);
            const nodes: Object3D[] = [];
            root.traverse((node) => void nodes.push(node));
            this.copies.push({ root, turned: new Map(nodes.map((node, i): [string, Object3D] => [this.rig.keys[i]!, node]).filter(([key]) => this.turning.has(key))) });
            this.object.add(root);
        }
        return this.copies[instance]!;
    }
}
