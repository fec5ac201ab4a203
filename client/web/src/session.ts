/* The one connection of the page, to a daemon or to a world in the page itself: opened, and opened again when it is lost. */
import {
    KeyError,
    Role,
    StatusCode,
    StatusError,
    type Client,
    type ClientDef,
    type EventBatch,
    type ServerMessageKind,
    type WorldState,
} from "troupe-client";
import { Signal } from "./ui/signal.js";

export type Link =
    | { kind: "connecting"; detail: string }
    | { kind: "live"; client: Client }
    | { kind: "locked"; detail: string };

const RETRY_MS = [250, 500, 1000, 2000, 4000];
const KEY_NAME = "troupe.key";

export class Session {
    readonly link = new Signal<Link>({ kind: "connecting", detail: "Connecting" });
    onState: (state: WorldState) => void = () => {};
    onEvents: (batch: EventBatch) => void = () => {};
    onMessage: (message: ServerMessageKind) => void = () => {};
    /** Round trip to the daemon, ms, of the last ping. */
    roundTripMs = 0;

    private attempts = 0;

    /** open: to whatever has the worlds; rejects with what failed. */
    constructor(private readonly open: (def: ClientDef) => Promise<Client>) {
        void this.connect();
        setInterval(() => void this.ping(), 2000);
    }

    get client(): Client | undefined {
        return this.link.value.kind === "live" ? this.link.value.client : undefined;
    }

    /** May make worlds and matches: a director, or anybody where the daemon asks for no keys. */
    get directs(): boolean {
        const role = this.client?.welcome.role;
        return role !== undefined && role !== Role.SPECTATOR && role !== Role.PLAYER;
    }

    /** The key for a daemon that demands one; kept until the tab is closed. */
    get key(): string {
        return sessionStorage.getItem(KEY_NAME) ?? "";
    }

    unlock(key: string): void {
        sessionStorage.setItem(KEY_NAME, key);
        this.attempts = 0;
        void this.connect();
    }

    private async connect(): Promise<void> {
        this.link.value = { kind: "connecting", detail: this.attempts === 0 ? "Connecting" : "Connecting again" };
        try {
            const client = await this.open({
                name: "viewer",
                key: this.key,
                onState: (state) => this.onState(state),
                onEvents: (batch) => this.onEvents(batch),
                onMessage: (message) => this.onMessage(message),
                onClose: (reason) => this.lost(reason),
            });
            this.attempts = 0;
            performance.mark("connected");
            this.link.value = { kind: "live", client };
        } catch (error) {
            this.failed(error);
        }
    }

    private failed(error: unknown): void {
        if (error instanceof KeyError || (error instanceof StatusError && isAboutKeys(error.code))) {
            sessionStorage.removeItem(KEY_NAME);
            this.link.value = { kind: "locked", detail: (error as Error).message };
        } else this.retry((error as Error).message);
    }

    private lost(reason: string): void {
        if (this.link.value.kind === "live") this.retry(reason);
    }

    private retry(detail: string): void {
        this.link.value = { kind: "connecting", detail };
        const wait = RETRY_MS[Math.min(this.attempts++, RETRY_MS.length - 1)];
        setTimeout(() => void this.connect(), wait);
    }

    private async ping(): Promise<void> {
        const began = performance.now();
        try {
            if (this.client === undefined) return;
            await this.client.ping();
            this.roundTripMs = performance.now() - began;
        } catch {
            this.roundTripMs = 0;
        }
    }
}

function isAboutKeys(code: StatusCode): boolean {
    return code === StatusCode.UNAUTHENTICATED || code === StatusCode.PERMISSION_DENIED;
}

/** Where the daemon that served this page has its WebSocket. */
export function socketUrl(): string {
    const url = new URL("socket", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    url.search = "";
    return url.href;
}
