/* Writes src/pages/frieze.json: moments of a backflip, simulated by the daemon, which the first page draws side by side.
 *
 *     TROUPED=../../build/release/server/trouped node tools/make_frieze.js */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startDaemon } from "../../js/test/daemon.js";
import { connectTcp } from "../../js/dist/node.js";

const CONTROLLER = "backflip";
const FIRST_TICK = 420;
const EVERY_TICKS = 20;
const COUNT = 15;
const BODIES = 4; // StateField
const THOUSANDTHS = 1000; // of metres, and of quaternion components

const daemon = await startDaemon();
const client = await connectTcp({ port: daemon.port });
const { id } = await client.createWorld({ name: "frieze", paused: true });
await client.command(id, { case: "spawnCharacter", value: { controller: CONTROLLER } });
await client.command(id, { case: "step", value: { count: FIRST_TICK } });
const round = (values) => Array.from(values, (value) => Math.round(THOUSANDTHS * value));
const moments = [];
let model = "";
for (let i = 0; i < COUNT; i++) {
    const [character] = (await client.state(id, BODIES)).characters;
    model = character.model;
    const [x, y] = character.rootPos;
    moments.push({ pos: round(character.bodyPos.map((value, k) => value - (k % 3 === 0 ? x : k % 3 === 1 ? y : 0))), rot: round(character.bodyRot) });
    await client.command(id, { case: "step", value: { count: EVERY_TICKS } });
}
const out = fileURLToPath(new URL("../src/pages/frieze.json", import.meta.url));
writeFileSync(out, `${JSON.stringify({ model, thousandths: THOUSANDTHS, moments })}\n`);
client.close();
await daemon.stop();
