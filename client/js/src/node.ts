/* For Node: the whole package, and TCP. */
import { Client, type ClientDef } from "./client.js";
import { openTcp, type TcpDef } from "./tcp.js";

export * from "./index.js";
export { openTcp, type TcpDef } from "./tcp.js";

/** Opens a session over TCP (default 127.0.0.1:7400) and makes the handshake. */
export async function connectTcp(def: ClientDef & TcpDef = {}): Promise<Client> {
    return Client.greet(await openTcp(def), def);
}
