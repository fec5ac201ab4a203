/* A recording played again in a world of its own: paused, scrubbed, slowed, looped, verified, shared to the tick. */
import { EventKind, type Client, type Event, type ReplayInfo, type WorldInfo } from "troupe-client";
import { Vector3 } from "three";
import { Control } from "../drive/control.js";
import { Keys } from "../drive/keys.js";
import { Pointer } from "../drive/pointer.js";
import { showKeys } from "../ui/dialog.js";
import { h, setText } from "../ui/element.js";
import { Timeline } from "../ui/timeline.js";
import { attempt, toast } from "../ui/toast.js";
import { Transport } from "../ui/transport.js";
import type { Context, Page } from "./page.js";
import { recordingAddress } from "./recordings.js";
import { Theatre } from "./theatre.js";

const POLL_MS = 1000;
const SHOW_MS = 100;
const HINTS = "Drag the ground to look around, with the right button or two fingers to move, wheel or pinch to zoom. Tap a character to look at it, the ground to look at all.";

export class ReplayPage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly theatre: Theatre;
    private readonly transport: Transport;
    private readonly timeline: Timeline;
    private readonly keys: Keys;
    private readonly verdict = h("span", { class: "verdict", role: "status" });
    private readonly loop = h("input", { type: "checkbox", onchange: () => this.act((control) => control.send({ case: "setLoop", value: { loop: this.loop.checked } })) });
    private control: Control | undefined;
    /** Position and tick of the last poll: between polls both go on alike. */
    private base = { position: 0, tick: 0 };
    private wanted: number | undefined;
    private seeking = false;
    private shownMs = 0;
    private told = 0;
    private following = true;
    private readonly followed = new Vector3();
    private readonly timer = setInterval(() => void this.poll(), POLL_MS);
    private readonly leave = () => this.end();

    constructor(
        private readonly context: Context,
        private readonly name: string,
        private readonly at: number,
    ) {
        this.title = name;
        this.theatre = new Theatre(context.session, context.knowledge);
        this.theatre.onFrame = (nowMs, dtS) => this.frame(nowMs, dtS);
        this.theatre.onEvent = (event) => this.hear(event);
        this.transport = new Transport({
            pause: (paused) => this.pause(paused),
            step: () => this.act((control) => control.step(1)),
            rate: (rate) => this.act((control) => control.rate(rate)),
            restart: () => this.seek(0, true),
        });
        this.timeline = new Timeline((position, done) => this.seek(position, done));
        new Pointer(this.theatre.canvas, this.theatre.stage, {
            select: (hit) => this.look(hit?.entity),
            ground: () => this.look(undefined),
            aiming: () => {},
            push: () => toast("A replay cannot be changed"),
            moved: () => (this.following = false),
        });
        this.keys = this.makeKeys();
        const share = h("button", { onclick: () => void this.share() }, "Copy link to here");
        const verify = h("button", { onclick: () => void this.verify() }, "Verify");
        const help = h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.help() }, "?");
        this.element = h("main", { class: "replay" }, this.theatre.element,
            h("div", { class: "bar" }, this.timeline.element,
                this.transport.element, h("div", { class: "toggles" }, h("label", { class: "toggle" }, this.loop, "loop"), this.verdict, verify, share, help)));
        window.addEventListener("pagehide", this.leave);
        this.connected();
    }

    connected(): void {
        void attempt(() => this.begin());
    }

    destroy(): void {
        clearInterval(this.timer);
        window.removeEventListener("pagehide", this.leave);
        this.keys.destroy();
        this.theatre.destroy();
        this.end();
    }

    private makeKeys(): Keys {
        const orbit = this.theatre.stage.orbit;
        return new Keys({
            pause: () => this.pause(!this.transport.isPaused),
            step: () => this.act((control) => control.step(1)),
            restart: () => this.seek(0, true),
            event: (by) => this.timeline.toEvent(by),
            next: (by) => this.look(this.theatre.neighbour(by)),
            show: (what) => this.theatre.toggle(what),
            turn: (around, up) => orbit.turn(around, up),
            zoom: (factor) => orbit.zoom(factor),
            help: () => this.help(),
        }, false);
    }

    private help(): void {
        showKeys(this.keys.rows, HINTS);
    }

    private async begin(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const world = await this.openWorld(client);
        this.control = new Control(() => this.context.session.client, world.id);
        this.transport.setWorld(world);
        await this.theatre.follow(world);
        await this.poll();
        if (this.at === 0) return;
        if (!world.paused) await this.control.pause(); // a replay taken up again may be going on
        this.seek(Math.min(this.at, this.timeline.length), true);
    }

    /** A replay that nobody watches is taken up again; otherwise one is made. */
    private async openWorld(client: Client): Promise<WorldInfo> {
        const worlds = await client.worlds();
        const idle = worlds.find((each) => each.replayOf === this.name && each.subscriberCount === 0);
        if (idle) return idle;
        const taken = new Set(worlds.map((each) => each.name));
        let world = `replay ${this.name}`.slice(0, 40);
        for (let i = 2; taken.has(world); i++) world = `replay ${this.name}`.slice(0, 40) + ` ${i}`;
        return client.ask({ case: "replay", value: { recording: this.name, world, paused: this.at > 0 } }, "world");
    }

    private end(): void {
        const world = this.control?.world;
        this.control = undefined;
        if (world !== undefined) this.context.session.client?.destroyWorld(world).catch(() => {});
    }

    private async poll(): Promise<void> {
        const control = this.control;
        const client = this.context.session.client;
        if (control === undefined || client === undefined) return;
        const info = await client.ask({ case: "getReplay", value: { world: control.world } }, "replayInfo").catch(() => undefined);
        if (info === undefined) return;
        this.base = { position: Number(info.position), tick: Number(info.firstTick) + Number(info.position) };
        this.timeline.setLength(Number(info.length), info.recording?.stepS || 0.005);
        const key = info.events.length + this.theatre.stage.cast.drawn.size / 1000;
        if (key !== this.told) this.timeline.setEvents(info.events, this.theatre.nameOf);
        this.told = key;
        this.loop.checked = info.loop;
        this.showVerdict(info);
    }

    private showVerdict(info: ReplayInfo): void {
        const apart = info.divergence;
        const words = apart ? `differs at ${apart.position}: ${apart.what} ${apart.label} ${apart.bodyName}` : info.verified ? "verified to the bit" : info.working ? "working" : info.whole ? "" : "the file is cut off";
        setText(this.verdict, words);
        this.verdict.classList.toggle("bad", apart !== undefined);
    }

    /** At one, or at all of them. */
    private look(entity: number | undefined): void {
        this.theatre.select(entity);
        this.following = true;
    }

    // --- each frame ---

    private frame(nowMs: number, dtS: number): void {
        const { playback, stage } = this.theatre;
        stage.orbit.follow(this.following ? this.theatre.middle(this.followed) : undefined, dtS);
        if (nowMs - this.shownMs < SHOW_MS || playback.newest === undefined) return;
        this.shownMs = nowMs;
        this.transport.update(playback.newest, playback.shownTimeS);
        if (!this.seeking && this.wanted === undefined) this.timeline.follow(this.positionOf(Number(playback.newest.tick)));
    }

    private positionOf(tick: number): number {
        return Math.max(0, this.base.position + tick - this.base.tick);
    }

    private hear(event: Event): void {
        if (event.kind !== EventKind.PAUSED && event.kind !== EventKind.RESUMED) return;
        this.transport.setPaused(event.kind === EventKind.PAUSED);
        this.theatre.playback.setPaused(event.kind === EventKind.PAUSED);
    }

    // --- what is asked of the replay ---

    private act(command: (control: Control) => Promise<unknown>): void {
        const control = this.control;
        if (control) void attempt(() => command(control));
    }

    private pause(paused: boolean): void {
        if (!paused && this.timeline.position >= this.timeline.length) this.seek(0, true);
        this.act((control) => (paused ? control.pause() : control.resume()));
    }

    /** One seek at a time; of those wanted meanwhile only the last. */
    private seek(position: number, done: boolean): void {
        this.wanted = position;
        if (done) history.replaceState(null, "", recordingAddress(this.name, position));
        if (!this.seeking) void this.seekOn();
    }

    private async seekOn(): Promise<void> {
        this.seeking = true;
        while (this.wanted !== undefined && this.control) {
            const position = this.wanted;
            this.wanted = undefined;
            await attempt(() => this.control!.send({ case: "seek", value: { position: BigInt(position) } }));
            this.timeline.follow(position);
        }
        this.seeking = false;
        await this.poll();
    }

    private async verify(): Promise<void> {
        setText(this.verdict, "verifying");
        await attempt(() => this.control!.send({ case: "verify", value: {} }));
        await this.poll();
    }

    private async share(): Promise<void> {
        const link = new URL(recordingAddress(this.name, this.timeline.position), location.href).href;
        history.replaceState(null, "", recordingAddress(this.name, this.timeline.position));
        try {
            await navigator.clipboard.writeText(link);
            toast("The link is copied");
        } catch {
            toast(link);
        }
    }
}
