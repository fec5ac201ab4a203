/* One world, live: seen and driven. */
import { Vector3 } from "three";
import { EventKind, type Event, type WorldInfo, type WorldState } from "troupe-client";
import { Control } from "../drive/control.js";
import { Keys, type Showable } from "../drive/keys.js";
import { Motion } from "../drive/motion.js";
import { Pad } from "../drive/pad.js";
import { Pointer } from "../drive/pointer.js";
import { Steering } from "../drive/steering.js";
import { Theatre } from "./theatre.js";
import type { Hit } from "../scene/cast.js";
import { bodyWords } from "../ui/body.js";
import { showKeys } from "../ui/dialog.js";
import { h, setText } from "../ui/element.js";
import { Panel } from "../ui/panel.js";
import { attempt, toast } from "../ui/toast.js";
import { icon, Transport } from "../ui/transport.js";
import type { Context, Page } from "./page.js";
import { recordingName } from "./recordings.js";

const PUSH_S = 0.2;
const KEY_PUSH_N = 100;
const PANEL_EVERY_MS = 100;
const BALL_FROM_M = 3.5;
const HINTS = "Drag the ground to look around, with the right button or two fingers to move, wheel or pinch to zoom. Drag a body to push it; tap the ground to send the one selected there.";

export class LivePage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly theatre: Theatre;
    private readonly panel: Panel;
    private readonly transport: Transport;
    private readonly keys: Keys;
    private readonly pad: Pad;
    private readonly steering: Steering;
    private readonly force = h("div", { class: "force", hidden: true });
    private readonly missing = h("div", { class: "missing", hidden: true });
    private readonly motion = new Motion();
    private readonly record = h("button", { class: "icon record", onclick: () => void this.toggleRecording() }, icon("record"));
    private control: Control | undefined;
    private recording = "";
    private following = true;
    private panelMs = 0;
    /** The one selected, since a state had it. */
    private present: number | undefined;
    private readonly followed = new Vector3();

    constructor(
        private readonly context: Context,
        private readonly name: string,
    ) {
        this.title = name;
        this.theatre = new Theatre(context.session, context.knowledge);
        this.theatre.onFrame = (nowMs, dtS) => this.frame(nowMs, dtS);
        this.theatre.onEvent = (event) => this.hear(event);
        this.panel = this.makePanel();
        this.transport = new Transport({
            pause: (paused) => this.pause(paused),
            step: () => this.act((control) => control.step(1)),
            rate: (rate) => this.act((control) => control.rate(rate)),
            restart: () => this.act((control) => control.reset()),
        });
        this.steering = new Steering(() => this.control, (text) => this.panel.setSteering(text), (at) => this.theatre.stage.showGoal(at));
        this.keys = this.makeKeys();
        this.pad = new Pad({
            pause: () => this.pause(!this.transport.isPaused),
            ball: () => void this.throwBall(),
            next: (by) => this.selectNext(by),
            turn: (dx, dy) => this.theatre.stage.orbit.turn(dx, dy),
        });
        new Pointer(this.theatre.canvas, this.theatre.stage, {
            select: (hit) => this.select(hit?.entity),
            ground: (point) => this.walkTo(point),
            aiming: (hit, force) => this.aim(hit, force),
            push: (hit, force) => this.push(hit, force),
            moved: () => this.panel.stopFollowing(),
        });
        this.theatre.element.append(this.force);
        this.element = h("main", { class: "live" }, this.theatre.element, this.panel.element, this.bar(), this.missing);
        this.connected();
    }

    connected(): void {
        void this.begin();
    }

    destroy(): void {
        this.keys.destroy();
        this.theatre.destroy();
    }

    private async begin(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        void this.context.knowledge.controllers().then((all) => this.panel.setControllers(all), () => {});
        try {
            const world = (await client.worlds()).find((each) => each.name === this.name);
            this.missing.hidden = world !== undefined;
            if (world === undefined) return this.gone(`There is no world “${this.name}”.`);
            this.control = new Control(() => this.context.session.client, world.id);
            this.transport.setWorld(world);
            this.showRecording(world.recordedAs);
            await this.theatre.follow(world);
        } catch (error) {
            this.gone(error instanceof Error ? error.message : String(error));
        }
    }

    private gone(text: string): void {
        this.missing.hidden = false;
        this.missing.replaceChildren(h("p", {}, text), h("a", { class: "button", href: "#/" }, "All worlds"));
    }

    // --- what is on the page ---

    private bar(): HTMLElement {
        const toggle = (what: "contacts" | "pushes" | "names", text: string) => {
            const box = h("input", { type: "checkbox", checked: true, onchange: () => this.show(what) });
            box.dataset.show = what;
            return h("label", { class: "toggle" }, box, text);
        };
        const help = h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.help() }, "?");
        this.transport.element.append(this.record);
        this.showRecording("");
        return h("div", { class: "bar" }, this.transport.element, h("div", { class: "toggles" }, toggle("contacts", "contacts"), toggle("pushes", "pushes"), toggle("names", "names"), help));
    }

    private makePanel(): Panel {
        return new Panel({
            select: (entity) => this.select(entity),
            perform: (entity, controller) => this.act((control) => control.perform(entity, controller)),
            goTo: (entity, skill) => this.steering.toSkill(entity, skill),
            limp: (entity, limp) => this.act((control) => control.limp(entity, limp)),
            remove: (entity) => this.act((control) => control.despawn(entity)),
            spawn: (controller, label) => void this.spawn(controller, label),
            throwBall: () => void this.throwBall(),
            follow: (on) => (this.following = on),
            controller: (name) => this.context.knowledge.controller(name),
            place: ({ controller, fragment }) => this.context.knowledge.place(controller, fragment),
            colorIndex: (entity) => this.theatre.stage.cast.colorIndex(entity),
        });
    }

    private makeKeys(): Keys {
        const orbit = this.theatre.stage.orbit;
        return new Keys({
            pause: () => this.pause(!this.transport.isPaused),
            step: () => this.act((control) => control.step(1)),
            restart: () => this.act((control) => control.reset()),
            skill: (index) => this.panel.performIndex(index),
            next: (by) => this.selectNext(by),
            follow: () => this.panel.toggleFollow(),
            ball: () => void this.throwBall(),
            push: (right, away) => this.pushByKey(right, away),
            show: (what) => this.show(what),
            turn: (around, up) => orbit.turn(around, up),
            zoom: (factor) => orbit.zoom(factor),
            help: () => this.help(),
            halt: () => this.steering.halt(this.theatre.selected),
        }, true);
    }

    private help(): void {
        showKeys(this.keys.rows, HINTS);
    }

    private show(what: Showable): void {
        const on = this.theatre.toggle(what);
        const box = this.element.querySelector<HTMLInputElement>(`[data-show=${what}]`);
        if (box) box.checked = on;
    }

    // --- each frame ---

    private frame(nowMs: number, dtS: number): void {
        const newest = this.theatre.playback.newest;
        if (newest === undefined) return;
        this.keepSelected(newest);
        this.follow(dtS);
        const drawn = this.drawn();
        this.motion.update(drawn, dtS);
        const [kx, ky] = this.keys.direction();
        const [px, py] = this.pad.poll(dtS);
        this.steering.frame(nowMs, drawn, [kx || px, ky || py], this.theatre.stage.orbit.headingAway);
        if (nowMs - this.panelMs < PANEL_EVERY_MS) return;
        this.panelMs = nowMs;
        this.panel.update(newest, this.theatre.selected);
        this.transport.update(newest, this.theatre.playback.shownTimeS);
    }

    /** The first one when nobody is selected, or who was is gone; one just spawned may not be in a state yet. */
    private keepSelected(newest: WorldState): void {
        const { selected } = this.theatre;
        const first = newest.characters[0]?.entity;
        if (newest.characters.some((state) => state.entity === selected)) this.present = selected;
        else if (selected !== first && (selected === undefined || selected === this.present)) this.select(first);
    }

    private follow(dtS: number): void {
        this.theatre.stage.orbit.follow(this.following ? this.theatre.middle(this.followed) : undefined, dtS);
    }

    private drawn() {
        const { selected, stage } = this.theatre;
        return selected === undefined ? undefined : stage.cast.drawn.get(selected);
    }

    private hear(event: Event): void {
        if (event.kind === EventKind.PAUSED || event.kind === EventKind.RESUMED) {
            this.transport.setPaused(event.kind === EventKind.PAUSED);
            this.theatre.playback.setPaused(event.kind === EventKind.PAUSED);
        } else if (event.kind === EventKind.APPLIED && event.text === "set_rate") void this.refresh();
        else if (event.kind === EventKind.APPLIED && event.text.endsWith("_recording")) void this.refresh();
        else if (event.kind === EventKind.RECORDING_ENDED) this.showRecording("");
        else if (event.kind === EventKind.DESTROYED) this.gone("This world is gone.");
    }

    private async refresh(): Promise<void> {
        const world = this.control && (await this.context.session.client?.world(this.control.world).catch(() => undefined));
        if (world === undefined) return;
        this.transport.setWorld(world as WorldInfo);
        this.showRecording(world.recordedAs);
    }

    private showRecording(name: string): void {
        this.recording = name;
        this.record.ariaPressed = String(name !== "");
        this.record.ariaLabel = this.record.title = name ? `End the recording ${name}` : "Record";
    }

    private async toggleRecording(): Promise<void> {
        const control = this.control;
        if (control === undefined) return;
        if (this.recording) {
            const name = this.recording;
            if (await attempt(() => control.stopRecording())) toast(`Recorded as ${name}`);
            return;
        }
        const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
        const name = recordingName(`${this.name.slice(0, 28)}-${time}`);
        if (await attempt(() => control.record(name))) this.showRecording(name);
    }

    // --- what is asked of the world ---

    private act(command: (control: Control) => Promise<unknown>): void {
        const control = this.control;
        if (control) void attempt(() => command(control));
    }

    private pause(paused: boolean): void {
        this.act((control) => (paused ? control.pause() : control.resume()));
    }

    private select(entity: number | undefined): void {
        this.theatre.select(entity);
        this.steering.forget();
    }

    private selectNext(by: number): void {
        const entity = this.theatre.neighbour(by);
        if (entity !== undefined) this.select(entity);
    }

    private async spawn(controller: string, label: string): Promise<void> {
        const control = this.control;
        if (control === undefined) return;
        const { target, headingAway } = this.theatre.stage.orbit;
        const [x, y] = this.freePlace(target.x, target.y);
        const count = this.theatre.playback.newest?.characters.length ?? 0;
        let entity = 0;
        const done = await attempt(async () => (entity = await control.spawn(controller, label || `${controller} ${count + 1}`, x, y, headingAway)));
        if (done) this.select(entity);
    }

    /** A place near a point with nobody within a metre: round after round outward. */
    private freePlace(x: number, y: number): [number, number] {
        const others = [...this.theatre.stage.cast.drawn.values()];
        const free = (px: number, py: number) => others.every((each) => Math.hypot(each.pos[0]! - px, each.pos[1]! - py) > 1);
        for (let i = 0; i < 200; i++) {
            const radius = 0.75 * Math.sqrt(i);
            const angle = i * 2.399963;
            const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
            if (free(px, py)) return [px, py];
        }
        return [x, y];
    }

    private walkTo(point: Vector3): void {
        const drawn = this.drawn();
        if (drawn) this.steering.goTo(drawn, point);
    }

    private async throwBall(): Promise<void> {
        const control = this.control;
        const drawn = this.drawn();
        if (control === undefined || drawn === undefined) return toast("Select somebody to throw at");
        const { camera, headingAway } = this.theatre.stage.orbit;
        const at = { x: drawn.pos[0]!, y: drawn.pos[1]!, z: drawn.pos[2]! + 0.3 };
        const from = { x: at.x - BALL_FROM_M * Math.cos(headingAway), y: at.y - BALL_FROM_M * Math.sin(headingAway), z: Math.min(2, Math.max(0.4, camera.position.z)) };
        await attempt(() => control.throwBall(from, at, this.motion.velocity));
    }

    // --- pushes ---

    private aim(hit: Hit, force: Vector3 | undefined): void {
        this.theatre.stage.showDrag(hit.point, force);
        this.force.hidden = force === undefined;
        if (force) setText(this.force, `${force.length().toFixed(0)} N for ${PUSH_S} s on ${this.theatre.nameOf(hit.entity)}’s ${bodyWords(hit.bodyName)}`);
    }

    private push(hit: Hit, force: Vector3): void {
        this.select(hit.entity);
        this.act((control) => control.push(hit.entity, hit.bodyName, { x: 0, y: 0, z: 0 }, force, PUSH_S));
    }

    private pushByKey(right: number, away: number): void {
        const entity = this.theatre.selected;
        if (entity === undefined) return;
        const heading = this.theatre.stage.orbit.headingAway;
        const x = KEY_PUSH_N * (Math.cos(heading) * away + Math.sin(heading) * right);
        const y = KEY_PUSH_N * (Math.sin(heading) * away - Math.cos(heading) * right);
        this.act((control) => control.push(entity, "", { x: 0, y: 0, z: 0 }, { x, y, z: 0 }, PUSH_S));
    }
}

