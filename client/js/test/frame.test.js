import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFrame, FrameReader } from "../dist/index.js";

const lengths = [0, 1, 127, 128, 300, 16383, 16384, 70000];
const messages = lengths.map((length, i) => new Uint8Array(length).fill(i + 1));

function concat(parts) {
    return new Uint8Array(Buffer.concat(parts));
}

test("the length prefix is a varint", () => {
    assert.deepEqual([...encodeFrame(new Uint8Array(300)).subarray(0, 2)], [0xac, 0x02]);
    assert.equal(encodeFrame(new Uint8Array(0)).length, 1);
});

test("messages come out as they went in, however the bytes are cut", () => {
    const stream = concat(messages.map(encodeFrame));
    for (const piece of [1, 2, 3, 7, 128, 1000, 65536, stream.length]) {
        const reader = new FrameReader();
        const out = [];
        for (let at = 0; at < stream.length; at += piece) out.push(...reader.push(stream.subarray(at, at + piece)));
        assert.deepEqual(out.map((message) => message.length), lengths);
        assert.deepEqual(out.map((message) => message[0]), messages.map((message) => message[0]));
    }
});

test("what was read stays as it was when the next bytes come", () => {
    const reader = new FrameReader();
    const frame = encodeFrame(Uint8Array.of(1, 2, 3));
    reader.push(frame.subarray(0, 2));
    const [message] = reader.push(frame.subarray(2));
    reader.push(encodeFrame(Uint8Array.of(9, 9, 9)));
    assert.deepEqual([...message], [1, 2, 3]);
});

test("a frame above the limit is refused at its prefix", () => {
    const reader = new FrameReader(1000);
    assert.throws(() => reader.push(encodeFrame(new Uint8Array(1001)).subarray(0, 2)), RangeError);
});

test("a prefix of six bytes is refused", () => {
    assert.throws(() => new FrameReader().push(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80)), RangeError);
});
