/* The retargeter and the playback, without a daemon. The example's numbers are those of the Python client, which rebuilds places. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Playback, Retargeter, bonesOf } from "../dist/index.js";

const EXAMPLE = new URL("../../../tests/data/rigs/example.txt", import.meta.url);
const RIGS = new URL("../../rigs/", import.meta.url);

function example() {
    const read = { bodies: [], bones: new Map(), map: new Map(), turn: new Map() };
    for (const line of readFileSync(EXAMPLE, "utf8").trim().split("\n")) {
        const [kind, name, ...rest] = line.split(" ");
        const values = rest.map(Number);
        if (kind === "body") read.bodies.push({ name, parent: values[0], pos: { x: values[1], y: values[2], z: values[3] } });
        else if (kind === "bone") read.bones.set(name, { parent: rest[0] === "-" ? undefined : rest[0], pos: values.slice(1, 4), rot: values.slice(4) });
        else if (kind === "map") read.map.set(name, rest[0]);
        else if (kind === "turn") read.turn.set(name, values);
        else read[kind] = [Number(name), ...values];
    }
    return read;
}

test("bones turn as the example says", () => {
    const { bodies, bones, map, pos, rot, root, turn } = example();
    const pose = new Retargeter(bodies, bones, map).pose(pos, rot);
    assert.ok(Math.hypot(...pose.rootPos.map((v, i) => v - root[i])) < 1e-3);
    assert.equal(pose.rotation.size, turn.size);
    for (const [bone, q] of turn)
        assert.ok(Math.abs(pose.rotation.get(bone).reduce((sum, v, i) => sum + v * q[i], 0)) > 1 - 1e-6, bone);
});

test("maps of engines and joint maps are read", () => {
    for (const name of ["mixamo", "unreal", "unity", "godot", "vrm"])
        assert.equal(bonesOf(JSON.parse(readFileSync(new URL(name + ".json", RIGS), "utf8"))).size, 18);
    assert.deepEqual([...bonesOf({ parts: { hips: "Root" } })], [["pelvis", "Root"]]);
});

test("a bone that the rig does not have is named", () => {
    assert.throws(() => new Retargeter([], new Map(), new Map([["head", "Nose"]])), /no bone 'Nose'/);
});

test("pictures lie between states that arrive unevenly", () => {
    const playback = new Playback();
    const state = (t) => ({ timeS: t, characters: [{ entity: 1, label: "", bodyPos: [2 * t, 0, 0], bodyRot: [Math.cos(t), Math.sin(t), 0, 0] }] });
    assert.equal(playback.at(0).size, 0);
    for (let i = 0; i < 30; i++) playback.add(state(i / 30), 5 + i / 30 + (i % 3) * 0.02);
    for (let now = 5.5; now < 5.9; now += 0.013) {
        const shown = playback.at(now).get(1);
        assert.ok(Math.abs(shown.bodyPos[0] - 2 * (now - 5.1)) < 0.002, `${now}: ${shown.bodyPos[0]}`);
        assert.ok(Math.abs(shown.bodyRot[1] - Math.sin(now - 5.1)) < 0.002);
    }
    playback.add(state(0), 7); // reset
    assert.equal(playback.at(7).get(1).bodyPos[0], 0);
});
