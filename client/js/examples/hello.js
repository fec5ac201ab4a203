/* Runs a character in a new world for three seconds: node examples/hello.js [PORT] */
import { connectTcp } from "troupe-client/node";

const client = await connectTcp({
    port: Number(process.argv[2] ?? 7400),
    onState: (state) => console.log(`${state.timeS.toFixed(1)} s: ${state.characters[0]?.rootPos[0].toFixed(2)} m`),
});
const [controller] = process.argv.slice(3);
const world = await client.createWorld({ name: "hello-js" });
try {
    await client.command(world.id, { case: "spawnCharacter", value: { controller: controller ?? "run" } });
    await client.subscribe({ world: world.id, rateHz: 5 });
    await new Promise((resolve) => setTimeout(resolve, 3000));
} finally {
    await client.destroyWorld(world.id);
    client.close();
}
