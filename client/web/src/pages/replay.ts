/* A recording played again in a world made for it: paused, scrubbed, slowed, looped, verified, linked to a step, saved as a video. */
import { EventKind, type Client, type Event, type ReplayInfo, type WorldInfo } from "troupe-client";
import { Control } from "../drive/control.js";
import { Keys } from "../drive/keys.js";
import { Pointer } from "../drive/pointer.js";
import { Capture } from "../ui/capture.js";
import { CastList } from "../ui/cast_list.js";
import { showKeys } from "../ui/dialog.js";
import { h, setText } from "../ui/element.js";
import { icon } from "../ui/icon.js";
import { Selected } from "../ui/selected.js";
import { ShowMenu } from "../ui/show_menu.js";
import { Timeline } from "../ui/timeline.js";
import { attempt, toast } from "../ui/toast.js";
import { Transport } from "../ui/transport.js";
import type { Context, Page } from "./page.js";
import { recordingAddress } from "./recordings.js";
import { Theatre } from "./theatre.js";

const POLL_MS = 1000;
const SHOW_MS = 100;
const CLOSE_M = 6; // the camera, to a character that is selected among all
const HELP = "Drag the ground to look around, with the right button or two fingers to move, wheel or pinch to zoom. Tap a character to follow it, the ground to follow all.";

export class ReplayPage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly theatre: Theatre;
    private readonly cast: CastList;
    private readonly selected: Selected;
    private readonly transport: Transport;
    private readonly timeline: Timeline;
    private readonly capture: Capture;
    private readonly showMenu: ShowMenu;
    private readonly keys: Keys;
    private readonly verdict = h("span", { class: "verdict", role: "status" });
    private readonly loop = h("input", { type: "checkbox", onchange: () => this.act((control) => control.send({ case: "setLoop", value: { loop: this.loop.checked } })) });
    private readonly advice = h("p", { class: "quiet" }, "Choose a character to follow it, and to see what it does.");
    private control: Control | undefined;
    /** Position and tick at the last poll: between polls both advance alike. */
    private base = { position: 0, tick: 0 };
    private wanted: number | undefined;
    private seeking = false;
    private shownMs = 0;
    /** A recording opens on its first character. */
    private opened = false;
    /** Which events, by which names, are on the timeline. */
    private marked = "";
    private readonly timer = setInterval(() => void this.poll(), POLL_MS);
    private readonly leave = () => this.end();

    constructor(
        private readonly context: Context,
        private readonly name: string,
        private readonly at: number,
    ) {
        this.title = name;
        const theatre = (this.theatre = new Theatre(context.session, context.knowledge));
        theatre.camera.setView("all");
        theatre.onFrame = (nowMs) => this.frame(nowMs);
        theatre.onEvent = (event) => this.hear(event);
        this.cast = new CastList({ select: (entity) => this.toggleSelected(entity), doing: theatre.doingBriefly, colorIndex: (state) => theatre.stage.cast.colorIndex(state) });
        this.selected = new Selected({ doing: theatre.doing, controller: (name) => context.knowledge.controller(name), plotting: theatre.setTorques });
        this.transport = new Transport({
            pause: (paused) => this.pause(paused),
            step: () => this.act((control) => control.step(1)),
            rate: (rate) => this.act((control) => control.rate(rate)),
            restart: () => this.seek(0, true),
        }, false); // the timeline has the clock
        this.timeline = new Timeline((position, done) => this.seek(position, done));
        this.capture = new Capture(theatre.stage, theatre.canvas, () => `${this.name}-${this.timeline.position}`);
        this.showMenu = new ShowMenu((what) => theatre.toggle(what), theatre.wear);
        new Pointer(theatre.canvas, theatre.stage, theatre.camera, {
            select: ({ entity }) => this.select(entity),
            ground: () => this.select(undefined),
            aim: () => {},
            push: () => toast("A recording cannot be changed"),
        });
        this.keys = this.makeKeys();
        this.element = h("main", { class: "live replay" }, h("h1", { class: "unseen" }, name), theatre.element, this.makePanel(), this.makeBar());
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
        this.capture.destroy();
        this.theatre.destroy();
        this.end();
    }

    // --- what is on the page ---

    private makePanel(): HTMLElement {
        return h("aside", { class: "panel", "aria-label": "Characters" }, h("div", { class: "scroll" }, this.cast.element, this.advice, this.selected.element));
    }

    private makeBar(): HTMLElement {
        const button = (name: "previous" | "next", text: string, by: number) => h("button", { class: "icon", title: `${text} (${by < 0 ? "<" : ">"})`, "aria-label": text, onclick: () => this.timeline.toEvent(by) }, icon(name));
        this.transport.element.append(button("previous", "Previous event", -1), button("next", "Next event", 1), h("label", { class: "toggle" }, this.loop, "Loop"));
        const verify = h("button", { title: "Simulate it again and compare every step", onclick: () => void this.verify() }, "Verify");
        const share = h("button", { title: "A link to this recording at this step", onclick: () => void this.share() }, "Copy link");
        const help = h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.help() }, "?");
        return h("div", { class: "bar" }, this.timeline.element, this.transport.element, h("div", { class: "tools" }, this.verdict, verify, share, this.capture.element, this.showMenu.element, help));
    }

    private makeKeys(): Keys {
        const { camera } = this.theatre;
        return new Keys({
            pause: () => this.pause(!this.transport.isPaused),
            step: () => this.act((control) => control.step(1)),
            restart: () => this.seek(0, true),
            event: (by) => this.timeline.toEvent(by),
            next: (by) => this.select(this.theatre.neighbour(by)),
            follow: () => camera.setFollowing(!camera.following),
            view: () => camera.nextView(),
            all: () => this.select(undefined),
            show: (what) => this.showMenu.set(what, this.theatre.toggle(what)),
            turn: (around, up) => camera.turn(around, up),
            zoom: (factor) => camera.zoom(factor),
            help: () => this.help(),
        }, false);
    }

    private help(): void {
        showKeys(this.keys.rows, HELP);
    }

    // --- the replay and its world ---

    private async begin(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const world = await this.openWorld(client);
        this.control = new Control(() => this.context.session.client, world.id);
        this.transport.setWorld(world);
        await this.theatre.follow(world);
        await this.poll();
        if (this.at === 0) return;
        if (!world.paused) await this.control.pause(); // a continued replay may be running
        this.seek(Math.min(this.at, this.timeline.length), true);
    }

    /** Continues a replay without subscribers, or makes a new one. */
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
        const marked = `${info.events.length} ${this.theatre.stage.cast.drawn.size}`;
        if (marked !== this.marked) this.timeline.setEvents(info.events, this.theatre.nameOf);
        this.marked = marked;
        this.loop.checked = info.loop;
        this.showVerdict(info);
    }

    private showVerdict(info: ReplayInfo): void {
        const apart = info.divergence;
        const words = apart ? `differs at ${apart.position}: ${apart.what} ${apart.label} ${apart.bodyName}` : info.verified ? "verified to the bit" : info.working ? "working" : info.whole ? "" : "the file is cut off";
        setText(this.verdict, words);
        this.verdict.classList.toggle("bad", apart !== undefined);
    }

    /** One character, or all of them: undefined. */
    private select(entity: number | undefined): void {
        this.theatre.select(entity);
        if (entity === undefined) this.theatre.camera.setView("all");
        else if (this.theatre.camera.viewName === "all") this.theatre.camera.setView("free", CLOSE_M);
    }

    private open(entity: number): void {
        this.opened = true;
        this.select(entity);
    }

    private toggleSelected(entity: number): void {
        this.select(entity === this.theatre.selected ? undefined : entity);
    }

    // --- each frame ---

    private frame(nowMs: number): void {
        const { shown, selected, traces } = this.theatre;
        if (nowMs - this.shownMs < SHOW_MS || shown === undefined) return;
        this.shownMs = nowMs;
        if (!this.opened && shown.characters.length > 0) this.open(shown.characters[0]!.entity);
        this.cast.update(shown, selected);
        this.advice.hidden = selected !== undefined || shown.characters.length === 0;
        this.selected.update(shown.characters.find((each) => each.entity === selected), traces);
        if (!this.seeking && this.wanted === undefined) this.timeline.follow(this.positionOf(Number(shown.tick)));
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
        if (!this.seeking) void this.seekWanted();
    }

    private async seekWanted(): Promise<void> {
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
