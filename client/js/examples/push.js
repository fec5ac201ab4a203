/* How hard can it be pushed? One stepped world, ever stronger pushes from the side, each from the same snapshot:
 *
 *     node examples/push.js [PORT [CONTROLLER]] */
import { connectTcp, WorldMode } from "troupe-client/node";

const client = await connectTcp({ port: Number(process.argv[2] ?? 7400) });
const controller = process.argv[3] ?? "walk";
const world = (await client.createWorld({ name: "push-js", mode: WorldMode.STEPPED })).id;
try {
    const { entity } = await client.command(world, { case: "spawnCharacter", value: { controller } });
    await client.command(world, { case: "step", value: { count: 400 } });
    const { data } = await client.command(world, { case: "snapshot", value: {} });
    for (let newton = 50, fallen = false; !fallen && newton <= 500; newton += 50) {
        await client.command(world, { case: "restore", value: { data } });
        const push = { entity, force: { x: 0, y: newton, z: 0 }, durationS: 0.2 };
        await client.command(world, { case: "push", value: push });
        await client.command(world, { case: "step", value: { count: 1000 } });
        fallen = (await client.state(world)).characters[0].fallen;
        console.log(`${controller}: ${newton} N for 0.2 s: ${fallen ? "falls" : "stands"}`);
    }
} finally {
    await client.destroyWorld(world);
    client.close();
}
