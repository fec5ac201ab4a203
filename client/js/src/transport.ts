/* Transports carry bytes to the daemon and back. */

export interface Transport {
    /** Queues bytes; never throws after the transport is open. */
    send(bytes: Uint8Array): void;
    close(): void;
    /** Bytes that are queued here and not yet sent. */
    readonly unsent: number;
    /** The binding of a login to this TLS connection (RFC 9266), if the platform exports it. */
    readonly binding?: Uint8Array | undefined;
    /** Set by the client right after it gets the transport; nothing is delivered before. */
    onBytes: (bytes: Uint8Array) => void;
    /** Called once, whichever side closed it. */
    onClose: (reason: string) => void;
}

/** The part of the WebSocket interface that is used here: a browser's, Node's own or that of the package ws. */
export interface WebSocketLike {
    binaryType: string;
    readonly bufferedAmount: number;
    send(data: Uint8Array): void;
    close(): void;
    /** any: the event types differ, but all have the members read here. */
    addEventListener(type: "open" | "message" | "close" | "error", listener: (event: any) => void): void;
}

export type WebSocketMaker = new (url: string, protocols: string[]) => WebSocketLike;

/** The subprotocol of a daemon of this major version. */
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

/** Opens ws:// or wss://. Without a global WebSocket (Node before 22), `maker` is that of the package ws. */
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
