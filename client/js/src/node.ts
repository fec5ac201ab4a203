/* For Node: the whole package, and TCP. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { Client, type ClientDef } from "./client.js";
import type { Library } from "./simulation.js";
import { openTcp, type TcpDef } from "./tcp.js";

export * from "./index.js";
export { openTcp, type TcpDef } from "./tcp.js";

/** Opens a session over TCP (default 127.0.0.1:7400) and makes the handshake. */
export async function connectTcp(def: ClientDef & TcpDef = {}): Promise<Client> {
    return Client.greet(await openTcp(def), def);
}

/** The world library that deploy/cross/build.sh wasm built: file is its troupe_world.js, with troupe_world.wasm beside it. */
export async function openWorldLibrary(file: string): Promise<Library> {
    const url = pathToFileURL(file);
    Object.assign(globalThis, { __dirname: dirname(file), require: createRequire(url) }); // Emscripten takes Node's modules for CommonJS
    const { default: make } = (await import(url.href)) as { default: (options: { wasmBinary: Uint8Array }) => Promise<Library> };
    return make({ wasmBinary: await readFile(file.replace(/\.js$/, ".wasm")) });
}
