/* How long the page's world computes for a picture: five characters that run, strike and are pushed, in Node, by the page's own library and
 * bundle. Processor time, so that other programs do not count; what drawing takes, the page's GPU decides.
 *
 *     node tools/frame_times.js [PAGE] [PICTURES]      PAGE: a folder that deploy/site/browser.sh made */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openWorldLibrary, WasmEngine } from "../../js/dist/node.js";

const PICTURE_MS = 1000 / 60;
const STEP_S = 0.005;
const CAST = 5;
const page = process.argv[2] ?? fileURLToPath(new URL("../../../build/site/html/browser", import.meta.url));
const pictures = Number(process.argv[3] ?? 1200);
if (!(pictures > 60)) throw new Error(`PICTURES ${process.argv[3]}: expected more than 60, for the first second does not count`);
const library = fileURLToPath(new URL("../../../build/cross/wasm/build/deploy/cross/wasm/troupe_world.js", import.meta.url));
const engine = new WasmEngine(await openWorldLibrary(library), gunzipSync(readFileSync(join(page, "world/hero.troupe.gz"))), STEP_S);
const cast = Array.from({ length: CAST }, (_, i) => engine.apply({ case: "spawnCharacter", value: { controller: "hero", pos: { y: 1.5 * i } } }));

const ms = [];
for (let picture = 0; picture < pictures; picture++) {
    const entity = cast[picture % CAST];
    if (picture % 60 < CAST) engine.apply({ case: "steer", value: { entity, aim: { case: "headingRad", value: (picture % 7) - 3 }, skill: picture % 240 < 60 ? "run" : "" } });
    if (picture % 97 === 0) engine.apply({ case: "push", value: { entity, force: { x: 300, y: 100 }, durationS: 0.1 } });
    const begin = process.cpuUsage();
    while (engine.tick * STEP_S < ((picture + 1) * PICTURE_MS) / 1000) engine.step(1);
    for (const each of cast) engine.poses(each);
    const { user, system } = process.cpuUsage(begin);
    ms.push((user + system) / 1000);
}
const fallen = cast.filter((entity) => engine.look(entity).fallen).length;
const warm = ms.slice(60).sort((a, b) => a - b); // after the first second, in which the library is compiled
const at = (share) => warm[Math.floor(share * (warm.length - 1))];
console.log(`${CAST} characters, ${pictures} pictures: ${at(0.5).toFixed(2)} ms of processor time a picture in the median, ${at(0.99).toFixed(2)} for 99 of 100, ${at(1).toFixed(2)} at most; a picture of 60 a second has ${PICTURE_MS.toFixed(2)}; ${fallen} lie at the end`);
process.exitCode = at(0.99) < PICTURE_MS ? 0 : 1;
engine.close();
