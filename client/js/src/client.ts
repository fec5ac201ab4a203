/* A session with the daemon: requests return promises; states and events are passed to callbacks.
 *
 * The bytes go through a Transport, made by connectWebSocket() or, in Node, connectTcp(). */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ClientMessageSchema, ServerMessageSchema, type Response } from "./messages/troupe/envelope_pb.js";
import type { ControllerDetail, Lineage, ModelDetail, NounKind } from "./messages/troupe/catalogue_pb.js";
import type { CommandSchema, CommandResult } from "./messages/troupe/command_pb.js";
import { StatusCode, type HelloResult, type Pong } from "./messages/troupe/session_pb.js";
import type { EventBatch, SubscribeResult, WorldState } from "./messages/troupe/state_pb.js";
import type { CreateWorldSchema, WorldInfo } from "./messages/troupe/world_pb.js";
import { encodeFrame, FrameReader } from "./frame.js";
import { Login } from "./login.js";
import { ClosedError, StatusError } from "./status.js";
import type { Transport } from "./transport.js";

/** The version of the protocol. */
export const PROTOCOL_MAJOR = 1;
export const PROTOCOL_MINOR = 1;

const CHALLENGE_MS = 2500;

type RequestInit = NonNullable<MessageInitShape<typeof ClientMessageSchema>["request"]>;
/** A request as the field of ClientMessage: { case: "getWorld", value: { world: 1 } }. */
export type Request = Extract<RequestInit, { case: string }>;
/** A command as the field of Command: { case: "push", value: { entity, force: { y: 150 }, durationS: 0.2 } }. */
export type CommandOf = Extract<NonNullable<MessageInitShape<typeof CommandSchema>["command"]>, { case: string }>;
type Result = Extract<Response["result"], { case: string }>;
export type ResultCase = Result["case"];
export type ResultOf<C extends ResultCase> = Extract<Result, { case: C }>["value"];

export interface ClientDef {
    /** The client's name in the daemon's logs, 1 to 63 bytes. */
    name?: string;
    version?: string;
    /** NAME.SECRET, for a daemon that requires a key. It is never sent. */
    key?: string;
    onState?: (state: WorldState) => void;
    onEvents?: (events: EventBatch) => void;
    /** Called for every message that is not an answer, a state or events. */
    onMessage?: (message: ServerMessageKind) => void;
    /** Called once, when the session ends; reason: the daemon's Goodbye, or why the connection was lost. */
    onClose?: (reason: string) => void;
}

export type ServerMessageKind = import("./messages/troupe/envelope_pb.js").ServerMessage["message"];

export interface SubscribeDef {
    world: number;
    /** States per second of the world's time; 0: none. */
    rateHz?: number;
    /** Bits of StateField; 0: joints and objects. */
    fields?: number;
    events?: boolean;
}

interface Waiting {
    resolve: (response: Response) => void;
    reject: (error: Error) => void;
}

export class Client {
    /** The daemon's description of itself. */
    welcome!: HelloResult;
    /** Messages of each kind so far. */
    readonly counts = { states: 0, events: 0, responses: 0, bytes: 0 };

    private readonly def: ClientDef;
    private readonly transport: Transport;
    private readonly reader = new FrameReader();
    private readonly waiting = new Map<bigint, Waiting>();
    private readonly held: { request: Request; waiting: Waiting }[] = [];
    private nextId = 1n;
    private requestsMax = 1;
    private closedFor: string | undefined;
    private farewell: string | undefined;
    private challenged: (mechanisms: string[]) => void = () => {};
    private readonly challenge = new Promise<string[]>((resolve) => (this.challenged = resolve));

    /** Makes the handshake over an open transport. Rejects with a StatusError if the daemon refuses. */
    static async greet(transport: Transport, def: ClientDef = {}): Promise<Client> {
        const client = new Client(transport, def);
        try {
            client.welcome = await client.begin();
        } catch (error) {
            client.close();
            throw error;
        }
        client.requestsMax = client.welcome.requestsMax;
        return client;
    }

    private constructor(transport: Transport, def: ClientDef) {
        this.transport = transport;
        this.def = def;
        transport.onBytes = (bytes) => this.take(bytes);
        transport.onClose = (reason) => this.end(this.farewell ?? reason);
    }

    /** Hello and, with a key, Authenticate. */
    private async begin(): Promise<HelloResult> {
        const hello = {
            protocolMajor: PROTOCOL_MAJOR,
            protocolMinor: PROTOCOL_MINOR,
            clientName: this.def.name ?? "troupe-client (JavaScript)",
            clientVersion: this.def.version ?? "",
        };
        if (!this.def.key) return this.ask({ case: "hello", value: hello }, "hello");
        const mechanisms = await this.awaitChallenge();
        const login = new Login({ key: this.def.key, mechanisms, binding: this.transport.binding });
        const challenge = await this.ask({ case: "hello", value: { ...hello, scramFirst: login.first } }, "loginChallenge");
        const value = { scramFinal: await login.final(challenge.scramFirst) };
        const welcome = await this.ask({ case: "authenticate", value }, "hello");
        login.check(welcome.scramFinal);
        return welcome;
    }

    /** The mechanisms of logins in the daemon's first message. */
    private awaitChallenge(): Promise<string[]> {
        return new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new ClosedError("the daemon sent no challenge: it is too old for keys")), CHALLENGE_MS);
            void this.challenge.then((mechanisms) => {
                clearTimeout(late);
                resolve(mechanisms);
            });
        });
    }

    get closed(): boolean {
        return this.closedFor !== undefined;
    }

    /** The number of unanswered requests. */
    get unanswered(): number {
        return this.waiting.size + this.held.length;
    }

    /** Ends the session. Unanswered requests are rejected with a ClosedError. */
    close(): void {
        this.end("closed by this client");
        this.transport.close();
    }

    /** Sends one request and returns its result of the named kind. Requests above the daemon's limit wait here. */
    async ask<C extends ResultCase>(request: Request, expected: C): Promise<ResultOf<C>> {
        const { result } = await this.exchange(request);
        if (result.case !== expected) throw new Error(`the daemon answered ${request.case} with ${result.case}`);
        return result.value as ResultOf<C>;
    }

    /** Sends one request that has no result. */
    async tell(request: Request): Promise<void> {
        await this.exchange(request);
    }

    /** Sends a command, which changes a world; answered when it has applied. `at`: the tick; 0: as soon as
     * possible. */
    command(world: number, command: CommandOf, at: number | bigint = 0): Promise<CommandResult> {
        return this.ask({ case: "command", value: { world, atTick: BigInt(at), command } }, "command");
    }

    ping(): Promise<Pong> {
        return this.ask({ case: "ping", value: {} }, "pong");
    }

    /** Absent fields are the daemon's defaults. */
    createWorld(def: MessageInitShape<typeof CreateWorldSchema>): Promise<WorldInfo> {
        return this.ask({ case: "createWorld", value: def }, "world");
    }

    async worlds(): Promise<WorldInfo[]> {
        return (await this.ask({ case: "listWorlds", value: {} }, "worldList")).worlds;
    }

    world(world: number): Promise<WorldInfo> {
        return this.ask({ case: "getWorld", value: { world } }, "world");
    }

    destroyWorld(world: number): Promise<void> {
        return this.tell({ case: "destroyWorld", value: { world } });
    }

    subscribe(def: SubscribeDef): Promise<SubscribeResult> {
        return this.ask({ case: "subscribe", value: def }, "subscribe");
    }

    unsubscribe(world: number): Promise<void> {
        return this.tell({ case: "unsubscribe", value: { world } });
    }

    state(world: number, fields = 0): Promise<WorldState> {
        return this.ask({ case: "getState", value: { world, fields } }, "state");
    }

    model(name: string): Promise<ModelDetail> {
        return this.ask({ case: "getModel", value: { name } }, "model");
    }

    controller(name: string): Promise<ControllerDetail> {
        return this.ask({ case: "getController", value: { name } }, "controller");
    }

    lineage(kind: NounKind, name: string): Promise<Lineage> {
        return this.ask({ case: "getLineage", value: { kind, name } }, "lineage");
    }

    // --- the exchange ---

    private exchange(request: Request): Promise<Response> {
        if (this.closedFor !== undefined) return Promise.reject(new ClosedError(this.closedFor));
        return new Promise((resolve, reject) => {
            const waiting = { resolve, reject };
            if (this.waiting.size < this.requestsMax) this.send(request, waiting);
            else this.held.push({ request, waiting });
        });
    }

    private send(request: Request, waiting: Waiting): void {
        const requestId = this.nextId++;
        try {
            const message = create(ClientMessageSchema, { requestId, request });
            this.transport.send(encodeFrame(toBinary(ClientMessageSchema, message)));
        } catch (error) {
            waiting.reject(error instanceof Error ? error : new Error(String(error)));
            return;
        }
        this.waiting.set(requestId, waiting);
    }

    private take(bytes: Uint8Array): void {
        if (this.closedFor !== undefined) return;
        this.counts.bytes += bytes.length;
        try {
            for (const message of this.reader.push(bytes)) this.dispatch(fromBinary(ServerMessageSchema, message).message);
        } catch (error) {
            this.end(`the daemon broke the protocol: ${(error as Error).message}`);
            this.transport.close();
        }
    }

    private dispatch(message: ServerMessageKind): void {
        if (message.case === "state") {
            this.counts.states++;
            this.notify(this.def.onState, message.value);
        } else if (message.case === "response") {
            this.counts.responses++;
            this.answer(message.value);
        } else if (message.case === "events") {
            this.counts.events += message.value.events.length;
            this.notify(this.def.onEvents, message.value);
        } else if (message.case === "goodbye") {
            this.farewell = message.value.reason || StatusCode[message.value.code] || "the daemon said goodbye";
        } else if (message.case === "challenge") this.challenged(message.value.mechanisms);
        else this.notify(this.def.onMessage, message);
    }

    /** An error in a listener becomes an unhandled error, and the session continues. */
    private notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
        try {
            listener?.(value);
        } catch (error) {
            queueMicrotask(() => {
                throw error;
            });
        }
    }

    private answer(response: Response): void {
        const waiting = this.waiting.get(response.requestId);
        if (waiting === undefined) return;
        this.waiting.delete(response.requestId);
        if (response.code === StatusCode.OK) waiting.resolve(response);
        else waiting.reject(new StatusError(response.code, response.message));
        const next = this.held.shift();
        if (next !== undefined) this.send(next.request, next.waiting);
    }

    private end(reason: string): void {
        if (this.closedFor !== undefined) return;
        this.closedFor = reason;
        const error = new ClosedError(reason);
        for (const { reject } of this.waiting.values()) reject(error);
        for (const { waiting } of this.held) waiting.reject(error);
        this.waiting.clear();
        this.held.length = 0;
        this.def.onClose?.(reason);
    }
}
