/* The worker in which a world of the page runs: loads the library and the bundle, then speaks the protocol with the page. */
import { decodeResponses, Host, WasmEngine, type Library } from "troupe-client";
import { fetchPacked } from "./packed.js";
import { catalogueOf, LocalWorld } from "./world.js";

/** Addresses of what it loads; the last three are packed. */
export interface Order {
    library: string;
    wasm: string;
    bundle: string;
    catalogue: string;
    /** Spawned first. */
    controller: string;
}

/** What it says: bytes of the protocol, or this. */
export type Said = { share: number } | { ready: true } | { failed: string };

const STEP_S = 0.005;
const WAKE_MS = 4;

type Make = (options: { wasmBinary: Uint8Array }) => Promise<Library>;

const say = (said: Said) => self.postMessage(said);

async function load(order: Order): Promise<{ library: Library; bundle: Uint8Array; catalogue: Uint8Array }> {
    const shares = [0, 0, 0];
    const track = (i: number) => (share: number) => {
        shares[i] = share;
        say({ share: 0.3 * shares[0]! + 0.65 * shares[1]! + 0.05 * shares[2]! });
    };
    const files = [order.wasm, order.bundle, order.catalogue].map((url, i) => fetchPacked(url, track(i)));
    const [make, wasmBinary, bundle, catalogue] = await Promise.all([import(/* @vite-ignore */ order.library) as Promise<{ default: Make }>, ...files]);
    return { library: await make.default({ wasmBinary: wasmBinary! }), bundle: bundle!, catalogue: catalogue! };
}

async function begin(order: Order): Promise<void> {
    const { library, bundle, catalogue } = await load(order);
    const engine = new WasmEngine(library, bundle, STEP_S);
    let shown = true;
    const host: Host = new Host((bytes) => self.postMessage(bytes, { transfer: [bytes.buffer as ArrayBuffer] }), (request) => world.answer(request));
    const world: LocalWorld = new LocalWorld(engine, catalogueOf(decodeResponses(catalogue)), (message) => host.tell(message));
    world.answer({ case: "command", value: { command: { case: "spawnCharacter", value: { controller: order.controller, label: order.controller, headingRad: 0 } } } } as never);
    world.mark();
    self.onmessage = ({ data }: MessageEvent<Uint8Array | { shown: boolean }>) => {
        if (data instanceof Uint8Array) host.take(data);
        else shown = data.shown;
    };
    setInterval(() => shown && world.advance(performance.now()), WAKE_MS);
    say({ ready: true });
}

self.onmessage = ({ data }: MessageEvent<Order>) => {
    begin(data).catch((error: unknown) => say({ failed: error instanceof Error ? error.message : String(error) }));
};
