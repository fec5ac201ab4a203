/* TCP and TLS, in Node only. */
import * as net from "node:net";
import * as tls from "node:tls";
import type { Transport } from "./transport.js";

export interface TcpDef {
    host?: string; // 127.0.0.1
    port?: number; // 7400
    /** TLS 1.3, with these authorities (PEM) or the system's when true. */
    tls?: boolean | { ca?: string | Buffer; serverName?: string };
}

function open(def: TcpDef): net.Socket {
    const where = { host: def.host ?? "127.0.0.1", port: def.port ?? 7400 };
    if (!def.tls) return net.connect(where);
    const own = def.tls === true ? {} : def.tls;
    return tls.connect({
        ...where,
        minVersion: "TLSv1.3",
        ...(own.ca === undefined ? {} : { ca: own.ca }),
        ...(own.serverName === undefined ? {} : { servername: own.serverName }),
    });
}

function exportBinding(socket: tls.TLSSocket): Uint8Array {
    return new Uint8Array(socket.exportKeyingMaterial(32, "EXPORTER-Channel-Binding", Buffer.alloc(0)));
}

/** Opens a connection to the daemon's game port. */
export function openTcp(def: TcpDef = {}): Promise<Transport> {
    return new Promise((resolve, reject) => {
        const socket = open(def);
        let failure = "";
        const transport: Transport = {
            send: (bytes) => void socket.write(bytes),
            close: () => socket.end(),
            get unsent() {
                return socket.writableLength;
            },
            get binding() {
                return socket instanceof tls.TLSSocket ? exportBinding(socket) : undefined;
            },
            onBytes: () => {},
            onClose: () => {},
        };
        socket.setNoDelay(true);
        socket.once(def.tls ? "secureConnect" : "connect", () => resolve(transport));
        socket.on("data", (bytes) => transport.onBytes(bytes));
        socket.on("error", (error) => {
            failure = error.message;
            reject(error);
        });
        socket.on("close", () => transport.onClose(failure || "connection closed"));
    });
}
