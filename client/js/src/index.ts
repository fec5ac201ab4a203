/* Exports for browsers and Node. Node also has TCP: import "troupe-client/node". */
import { Client, type ClientDef } from "./client.js";
import { openWebSocket, type WebSocketMaker } from "./transport.js";

export * from "./client.js";
export * from "./frame.js";
export * from "./host.js";
export * from "./mirror.js";
export * from "./playback.js";
export * from "./poses.js";
export * from "./retarget.js";
export * from "./simulation.js";
export { Login, type LoginDef } from "./login.js";
export * from "./status.js";
export * from "./transport.js";
export * as catalogue from "./catalogue.js";
export * from "./messages/troupe/catalogue_pb.js";
export * from "./messages/troupe/character_pb.js";
export * from "./messages/troupe/command_pb.js";
export * from "./messages/troupe/envelope_pb.js";
export * from "./messages/troupe/geometry_pb.js";
export * from "./messages/troupe/match_pb.js";
export * from "./messages/troupe/object_pb.js";
export * from "./messages/troupe/recording_pb.js";
export * from "./messages/troupe/session_pb.js";
export * from "./messages/troupe/state_pb.js";
export * from "./messages/troupe/training_pb.js";
export * from "./messages/troupe/world_pb.js";

export interface WebSocketDef extends ClientDef {
    /** ws:// or wss://, such as ws://127.0.0.1:7401/socket. */
    url: string;
    /** If there is no global WebSocket: that of the package ws. */
    WebSocket?: WebSocketMaker;
}

/** Opens a session over WebSocket and makes the handshake. */
export async function connectWebSocket(def: WebSocketDef): Promise<Client> {
    return Client.greet(await openWebSocket(def.url, def.WebSocket), def);
}
