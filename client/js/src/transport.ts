/* What carries bytes to the daemon and back. */

export interface Transport {
    /** Queues bytes; never throws once open. */
    send(bytes: Uint8Array): void;
    close(): void;
    /** Bytes that are queued here and not yet sent. */
    readonly unsent: number;
    /** What binds a login to this TLS connection (RFC 9266), where the platform exports it. */
    readonly binding?: Uint8Array | undefined;
    /** Set by the client right after it got the transport; nothing is delivered before. */
    onBytes: (bytes: Uint8Array) => void;
    /** Called once, whoever closed it. */
    onClose: (reason: string) => void;
}

/** The part of the WebSocket interface that is used here: a browser's, Node's own or that of the package ws. */
export interface WebSocketLike {
    binaryType: string;
    readonly bufferedAmount: number;
    send(data: Uint8Array): void;
    close(): void;
    /** any: their events have types of their own, which have what is read here. */
    addEventListener(type: "open" | "message" | "close" | "error", listener: (event: any) => void): void;
}

export type WebSocketMaker = new (url: string, protocols: string[]) => WebSocketLike;

/** The subprotocol that a daemon of this major version speaks. */
export const SUBPROTOCOL = "troupe.v1";

function wrap(socket: WebSocketLike): Transport {
    const transport: Transport = {
        send: (bytes) => socket.send(bytes),
        close: () => socket.close(),
        get unsent() {
            return socket.bufferedAmount;
        },
        onBytes: () => {},
        onClose: () => {},
    };
    socket.addEventListener("message", (event: { data: ArrayBuffer }) =>
        transport.onBytes(new Uint8Array(event.data)),
    );
    socket.addEventListener("close", (event: { reason?: string; code?: number }) =>
        transport.onClose(event.reason || `WebSocket closed (${event.code ?? "no code"})`),
    );
    return transport;
}

/** Opens ws:// or wss://. `maker` is needed where there is no global WebSocket (Node before 22): that of the package ws. */
export function openWebSocket(url: string, maker?: WebSocketMaker): Promise<Transport> {
    const make = maker ?? (globalThis as unknown as { WebSocket?: WebSocketMaker }).WebSocket;
    if (make === undefined) return Promise.reject(new Error("no WebSocket here: pass that of the package ws"));
    return new Promise((resolve, reject) => {
        const socket = new make(url, [SUBPROTOCOL]);
        socket.binaryType = "arraybuffer";
        socket.addEventListener("open", () => resolve(wrap(socket)));
        socket.addEventListener("error", (event: { message?: string }) =>
            reject(new Error(`cannot connect to ${url}${event.message ? `: ${event.message}` : ""}`)),
        );
        socket.addEventListener("close", () => reject(new Error(`${url} was refused`)));
    });
}
