/* Writes what a daemon says of the controllers of a bundle and their models, for the page that runs without a daemon (src/local).
 *
 *     TROUPED=../../build/release/server/trouped node tools/record_catalogue.js BUNDLE OUT */
import { writeFileSync } from "node:fs";
import { startDaemon } from "../../js/test/daemon.js";
import { catalogue, connectTcp, encodeResponses } from "../../js/dist/node.js";

const [bundle, out] = process.argv.slice(2);
if (out === undefined) {
    console.error("usage: record_catalogue.js BUNDLE OUT");
    process.exit(1);
}
const daemon = await startDaemon("--shipped", "none", "--bundle", bundle);
const client = await connectTcp({ port: daemon.port, name: "record_catalogue" });
const controllers = await catalogue.controllers(client);
const results = [{ case: "controllerList", value: { controllers } }];
for (const { name } of controllers) results.push({ case: "controller", value: await client.controller(name) });
for (const name of new Set(controllers.map(({ model }) => model))) results.push({ case: "model", value: await client.model(name) });
writeFileSync(out, encodeResponses(results));
client.close();
await daemon.stop();
