/* One world, live: seen and driven. */
import { Vector3 } from "three";
import { EventKind, Role, type Event, type WorldInfo, type WorldState } from "troupe-client";
import { Control } from "../drive/control.js";
import { Keys, type Showable } from "../drive/keys.js";
import { Motion } from "../drive/motion.js";
import { Pad } from "../drive/pad.js";
import { Pointer, PUSH_S } from "../drive/pointer.js";
import { Steering } from "../drive/steering.js";
import type { Hit } from "../scene/cast.js";
import { bodyWords } from "../ui/body.js";
import { Capture } from "../ui/capture.js";
import { CastList, nameOf } from "../ui/cast_list.js";
import { Commands } from "../ui/commands.js";
import { showKeys } from "../ui/dialog.js";
import { h, setText } from "../ui/element.js";
import { Hints } from "../ui/hints.js";
import { icon } from "../ui/icon.js";
import { Parameters } from "../ui/parameters.js";
import { Selected } from "../ui/selected.js";
import { ShowMenu } from "../ui/show_menu.js";
import { SpawnForm } from "../ui/spawn_form.js";
import { attempt, toast } from "../ui/toast.js";
import { reachOf } from "../state/reach.js";
import { Transport } from "../ui/transport.js";
import type { Context, Page } from "./page.js";
import { recordingName } from "./recordings.js";
import { Theatre } from "./theatre.js";

const KEY_PUSH_N = 100;
const PANEL_EVERY_MS = 100;
const HOLD_TICKS = 4;
const BALL_FROM_M = 3.5;
const HELP = "Drag the ground to look around, with the right button or two fingers to move, wheel or pinch to zoom. Drag a body to push it, and hold still to keep pushing; tap the ground to send the selected character there, if it goes to places.";

export class LivePage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly theatre: Theatre;
    private readonly cast: CastList;
    private readonly commands: Commands;
    private readonly selected: Selected;
    private readonly spawnForm = new SpawnForm((controller, label) => void this.spawn(controller, label));
    private readonly empty = h("p", { class: "quiet" }, "No characters yet. Add a character below.");
    private readonly transport: Transport;
    private readonly capture: Capture;
    private readonly showMenu: ShowMenu;
    private readonly hints = new Hints();
    private readonly keys: Keys;
    private readonly pad: Pad;
    private readonly steering: Steering;
    private readonly force = h("div", { class: "force", hidden: true });
    private readonly missing = h("div", { class: "missing", hidden: true });
    private readonly motion = new Motion();
    private readonly record = h("button", { class: "icon record", onclick: () => void this.toggleRecording() }, icon("record"));
    private control: Control | undefined;
    private readonly parameters = new Parameters((entity, name, values) => this.act((control) => control.setParameters(entity, { [name]: values })));
    private recording = "";
    private panelMs = 0;
    /** The selected character, once a state had it. */
    private present: number | undefined;

    constructor(
        private readonly context: Context,
        private readonly name: string,
    ) {
        this.title = name;
        const theatre = (this.theatre = new Theatre(context.session, context.knowledge));
        theatre.onFrame = (nowMs, dtS) => this.frame(nowMs, dtS);
        theatre.onEvent = (event) => this.hear(event);
        this.cast = new CastList({ select: (entity) => this.select(entity), doing: theatre.doingBriefly, colorIndex: (state) => theatre.stage.cast.colorIndex(state) });
        this.commands = this.makeCommands();
        this.selected = new Selected({ doing: theatre.doing, controller: (name) => context.knowledge.controller(name), plotting: theatre.setTorques, set: (values) => this.hold(values) }, this.commands.element, this.parameters.element);
        this.selected.onDriver = (detail) => {
            const reach = reachOf(detail);
            this.commands.setDriver(detail);
            this.parameters.setDriver(detail);
            this.steering.setReach(reach);
            this.hints.offer({ push: reach.pushable, steer: reach.heading || reach.place, skill: reach.skills });
        };
        this.transport = new Transport({
            pause: (paused) => this.pause(paused),
            step: () => this.act((control) => control.step(1)),
            rate: (rate) => this.act((control) => control.rate(rate)),
            restart: () => this.act((control) => control.reset()),
        });
        this.steering = new Steering(() => this.control, (text) => this.commands.setHint(text), (at) => theatre.stage.showGoal(at));
        this.capture = new Capture(theatre.stage, theatre.canvas, () => `${this.name}-${(theatre.shown?.timeS ?? 0).toFixed(2)}s`);
        this.showMenu = new ShowMenu((what) => theatre.toggle(what), theatre.wear);
        this.keys = this.makeKeys();
        this.pad = this.makePad();
        this.takePointer();
        theatre.element.append(this.force, this.hints.element);
        this.element = h("main", { class: "live" }, h("h1", { class: "unseen" }, name), theatre.element, this.makePanel(), this.makeBar(), this.missing);
        this.connected();
    }

    connected(): void {
        void this.begin();
    }

    destroy(): void {
        this.keys.destroy();
        this.capture.destroy();
        this.theatre.destroy();
    }

    private async begin(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        void this.context.knowledge.controllers().then((all) => {
            this.commands.setControllers(all);
            this.spawnForm.setControllers(all);
        }, () => {});
        try {
            const world = (await client.worlds()).find((each) => each.name === this.name);
            this.missing.hidden = world !== undefined;
            if (world === undefined) return this.gone(`There is no world “${this.name}”.`);
            this.control = new Control(() => this.context.session.client, world.id);
            this.transport.setWorld(world);
            this.showRecording(world.recordedAs);
            await this.theatre.follow(world);
            if (client.welcome.role !== Role.SPECTATOR) this.hints.begin();
        } catch (error) {
            this.gone(error instanceof Error ? error.message : String(error));
        }
    }

    private gone(text: string): void {
        this.missing.hidden = false;
        this.missing.replaceChildren(h("p", {}, text), h("a", { class: "button", href: "#/" }, "All worlds"));
    }

    // --- what is on the page ---

    private makePanel(): HTMLElement {
        return h("aside", { class: "panel", "aria-label": "Characters" }, h("div", { class: "scroll" }, this.cast.element, this.empty, this.selected.element), this.spawnForm.element);
    }

    private makeBar(): HTMLElement {
        const help = h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.help() }, "?");
        this.transport.element.append(this.record);
        this.showRecording("");
        return h("div", { class: "bar" }, this.transport.element, h("div", { class: "tools" }, this.capture.element, this.showMenu.element, help));
    }

    private makeCommands(): Commands {
        return new Commands({
            steerTo: (entity, skill) => this.steerTo(entity, skill),
            speed: (entity, speed) => this.steering.toSpeed(entity, speed),
            push: () => this.pushBy(0, 1),
            throwBall: () => void this.throwBall(),
            replace: (entity, controller) => this.act((control) => control.setController(entity, controller)),
            limp: (entity, limp) => this.act((control) => control.limp(entity, limp)),
            remove: (entity) => this.act((control) => control.despawn(entity)),
        });
    }

    private makeKeys(): Keys {
        const { camera } = this.theatre;
        return new Keys({
            pause: () => this.pause(!this.transport.isPaused),
            step: () => this.act((control) => control.step(1)),
            restart: () => this.act((control) => control.reset()),
            skill: (index) => this.commands.steerToIndex(index),
            next: (by) => this.selectNext(by),
            follow: () => camera.setFollowing(!camera.following),
            view: () => camera.nextView(),
            all: () => camera.setView("all"),
            ball: () => void this.throwBall(),
            push: (right, away) => this.pushBy(right, away),
            show: (what) => this.show(what),
            turn: (around, up) => camera.turn(around, up),
            zoom: (factor) => camera.zoom(factor),
            help: () => this.help(),
            halt: () => this.steering.halt(this.theatre.selected),
        }, true);
    }

    private makePad(): Pad {
        return new Pad({
            pause: () => this.pause(!this.transport.isPaused),
            ball: () => void this.throwBall(),
            next: (by) => this.selectNext(by),
            turn: (dx, dy) => this.theatre.camera.turn(dx, dy),
        });
    }

    private takePointer(): void {
        new Pointer(this.theatre.canvas, this.theatre.stage, this.theatre.camera, {
            select: ({ entity }) => this.select(entity),
            ground: (point) => this.goTo(point),
            aim: (hit, force, held) => this.aim(hit, force, held),
            push: (hit, force) => this.push(hit, force),
            clock: () => this.theatre.playback.shownTimeS,
        });
    }

    private help(): void {
        showKeys(this.keys.rows, HELP);
    }

    private show(what: Showable): void {
        this.showMenu.set(what, this.theatre.toggle(what));
    }

    // --- each frame ---

    private frame(nowMs: number, dtS: number): void {
        const { playback, shown, drawn, camera } = this.theatre;
        if (playback.newest === undefined || shown === undefined) return;
        this.keepSelected(playback.newest);
        this.motion.update(drawn, dtS);
        const [kx, ky] = this.keys.direction();
        const [px, py] = this.pad.poll(dtS);
        if (kx || ky || px || py) this.hints.done("steer");
        this.steering.frame(nowMs, drawn, [kx || px, ky || py], camera.orbit.headingAway);
        if (nowMs - this.panelMs < PANEL_EVERY_MS) return;
        this.panelMs = nowMs;
        this.updatePanel(shown);
        this.transport.update(shown, playback.shownTimeS);
    }

    private updatePanel(shown: WorldState): void {
        const { selected, traces } = this.theatre;
        const state = shown.characters.find((each) => each.entity === selected);
        this.empty.hidden = shown.characters.length > 0;
        this.cast.update(shown, selected);
        this.selected.update(state, traces);
        if (state === undefined) return;
        this.commands.update(state, this.steering.requestedSkill);
        this.parameters.update(state);
    }

    /** Selects the first character if none is selected or the selected one no longer exists; one just added may not
     * be in a state yet. */
    private keepSelected(newest: WorldState): void {
        const { selected } = this.theatre;
        const first = newest.characters[0]?.entity;
        if (newest.characters.some((state) => state.entity === selected)) this.present = selected;
        else if (selected !== first && (selected === undefined || selected === this.present)) this.select(first);
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

    // --- recording ---

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
            if (await attempt(() => control.stopRecording())) toast(`Recorded as ${name}: see Recordings`);
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

    /** Sets parameters of the selected character; a paused world makes a few steps, so that the body follows. */
    private hold(values: Record<string, number[]>): void {
        const entity = this.theatre.selected;
        if (entity === undefined) return;
        this.act((control) => control.setParameters(entity, values));
        if (this.transport.isPaused) this.act((control) => control.step(HOLD_TICKS));
    }

    private pause(paused: boolean): void {
        this.act((control) => (paused ? control.pause() : control.resume()));
    }

    private select(entity: number | undefined): void {
        this.theatre.select(entity);
        this.steering.forget();
        this.commands.showSpeed(0);
    }

    private selectNext(by: number): void {
        const entity = this.theatre.neighbour(by);
        if (entity !== undefined) this.select(entity);
    }

    private steerTo(entity: number, skill: string): void {
        this.steering.toSkill(entity, skill);
        this.hints.done("skill");
    }

    private goTo(point: Vector3): void {
        const { drawn } = this.theatre;
        if (drawn === undefined) return;
        if (this.steering.goTo(drawn, point)) this.hints.done("steer");
        else toast(`${nameOf(drawn.state)} does not go to places`);
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

    /** A place near a point without a character within a metre: on a spiral outward. */
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

    private async throwBall(): Promise<void> {
        const { control } = this;
        const { drawn } = this.theatre;
        if (control === undefined || drawn === undefined) return toast("Select a character to throw at");
        if (!this.forcesMove(drawn.state.entity)) return;
        const { camera, headingAway } = this.theatre.stage.orbit;
        const at = { x: drawn.pos[0]!, y: drawn.pos[1]!, z: drawn.pos[2]! + 0.3 };
        const from = { x: at.x - BALL_FROM_M * Math.cos(headingAway), y: at.y - BALL_FROM_M * Math.sin(headingAway), z: Math.min(2, Math.max(0.4, camera.position.z)) };
        await attempt(() => control.throwBall(from, at, this.motion.velocity));
    }

    // --- pushes ---

    /** Tells it of a character that poses move. */
    private forcesMove(entity: number): boolean {
        const drawn = this.theatre.stage.cast.drawn.get(entity);
        const moves = drawn === undefined || drawn.state.limp || reachOf(this.context.knowledge.detail(drawn.state.controller)).pushable;
        if (!moves) toast(`Poses move ${this.theatre.nameOf(entity)}, so pushes and balls do not`);
        return moves;
    }

    private aim(hit: Hit, force: Vector3 | undefined, held: boolean): void {
        this.theatre.stage.showDrag(hit.point, force);
        this.force.hidden = force === undefined;
        if (force) setText(this.force, `${force.length().toFixed(0)} N on ${this.theatre.nameOf(hit.entity)}’s ${bodyWords(hit.bodyName)}, ${held ? "until you let go" : `for ${PUSH_S} s`}`);
    }

    private push(hit: Hit, force: Vector3): void {
        this.select(hit.entity);
        if (!this.forcesMove(hit.entity)) return;
        this.hints.done("push");
        this.act((control) => control.push(hit.entity, hit.bodyName, { x: 0, y: 0, z: 0 }, force, PUSH_S));
    }

    /** On the trunk; right and away on the screen, each in [-1, 1]. */
    private pushBy(right: number, away: number): void {
        const entity = this.theatre.selected;
        if (entity === undefined || !this.forcesMove(entity)) return;
        const heading = this.theatre.stage.orbit.headingAway;
        const x = KEY_PUSH_N * (Math.cos(heading) * away + Math.sin(heading) * right);
        const y = KEY_PUSH_N * (Math.sin(heading) * away - Math.cos(heading) * right);
        this.hints.done("push");
        this.act((control) => control.push(entity, "", { x: 0, y: 0, z: 0 }, { x, y, z: 0 }, PUSH_S));
    }
}
