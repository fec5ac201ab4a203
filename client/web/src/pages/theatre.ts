/* A world on the screen: its states followed, drawn and named, its events listed. Pages put their tools around it. */
import { EventKind, StateField, type CharacterState, type Event, type EventBatch, type WorldInfo, type WorldState } from "troupe-client";
import type { Showable } from "../drive/keys.js";
import { Camera } from "../scene/camera.js";
import type { Drawn } from "../scene/cast.js";
import { planOf } from "../scene/figure/plan.js";
import { Stage } from "../scene/stage.js";
import type { Session } from "../session.js";
import { doing, doingBriefly } from "../state/doing.js";
import type { Knowledge } from "../state/knowledge.js";
import { Playback } from "../state/playback.js";
import { Traces } from "../state/traces.js";
import { keep, wornBy, type Worn } from "../state/wardrobe.js";
import { CameraBar } from "../ui/camera_bar.js";
import { nameOf } from "../ui/cast_list.js";
import { h } from "../ui/element.js";
import { Feed } from "../ui/feed.js";
import { Health } from "../ui/health.js";
import { Labels } from "../ui/labels.js";
import { attempt } from "../ui/toast.js";

const RATE_HZ = 30;
const FIELDS = StateField.BODIES | StateField.OBJECTS | StateField.CONTACTS | StateField.PUSHES;

/** What tests and the benchmark read: window.troupe. */
export interface Measures {
    firstPictureMs: number;
    frames: number;
    scriptMs: number[];
    shown: () => WorldState | undefined;
}

const SCRIPT_KEPT = 1200;

const PUT_BACK: readonly EventKind[] = [EventKind.RESET, EventKind.RESTORED, EventKind.SOUGHT];

function changesScenery({ kind, text }: Event): boolean {
    return PUT_BACK.includes(kind) || (kind === EventKind.APPLIED && text.endsWith("_scenery"));
}

export class Theatre {
    readonly canvas = h("canvas", { tabindex: 0, "aria-label": "The world. Drag to look around, drag a body to push it." });
    readonly stage = new Stage(this.canvas);
    readonly camera = new Camera(this.stage.orbit);
    readonly playback = new Playback();
    readonly labels = new Labels();
    readonly feed = new Feed();
    readonly health = new Health();
    readonly traces = new Traces();
    readonly element: HTMLElement;
    selected: number | undefined;
    info: WorldInfo | undefined;
    /** The state nearest to the moment that is drawn: what tools beside the picture tell of. */
    shown: WorldState | undefined;
    onFrame: (nowMs: number, dtS: number) => void = () => {};
    onEvent: (event: Event) => void = () => {};
    private readonly measures: Measures;
    private readonly asked = new Set<string>();
    private askingShapes = false;
    private torques = false;
    /** By model: of the servo of each body, N m. */
    private readonly limitsNm = new Map<string, readonly number[]>();
    private running = true;
    private lastMs = 0;
    private readonly resizing: ResizeObserver;
    private readonly scheme = matchMedia("(prefers-color-scheme: dark)");
    private readonly recolor = () => this.stage.recolor();

    constructor(
        private readonly session: Session,
        private readonly knowledge: Knowledge,
    ) {
        this.element = h("div", { class: "theatre" }, this.canvas, this.labels.element, this.feed.element, this.health.element, new CameraBar(this.camera).element);
        this.measures = { firstPictureMs: 0, frames: 0, scriptMs: [], shown: () => this.playback.newest };
        (window as unknown as { troupe: Measures & { theatre: Theatre } }).troupe = Object.assign(this.measures, { theatre: this });
        this.stage.cast.isDown = (state) => state.fallen && !this.place(state)?.rises;
        this.element.addEventListener("dragover", (event) => event.preventDefault());
        this.element.addEventListener("drop", (event) => {
            event.preventDefault();
            const files = [...(event.dataTransfer?.files ?? [])];
            if (files.length > 0) void attempt(() => this.wear(files));
        });
        this.resizing = new ResizeObserver(() => this.stage.resize(this.canvas.clientWidth, this.canvas.clientHeight));
        this.resizing.observe(this.canvas);
        this.scheme.addEventListener("change", this.recolor);
        document.addEventListener("schemechange", this.recolor);
        session.onState = (state) => this.take(state);
        session.onEvents = (batch) => this.hear(batch);
        requestAnimationFrame((now) => this.frame(now));
    }

    /** Follows a world; again after a lost connection. */
    async follow(world: WorldInfo): Promise<void> {
        this.info = world;
        this.playback.setPaused(world.paused);
        this.stage.cast.teams = await this.teamsOf(world);
        await this.subscribe(world);
    }

    /** The teams of the match that is fought in the world, or of the bout that it replays. */
    private async teamsOf({ name, replayOf }: WorldInfo): Promise<readonly string[]> {
        const match = (replayOf || name).replace(/-bout-\d+$/, "");
        const asked = this.session.client?.ask({ case: "getMatch", value: { name: match, page: { size: 1 } } }, "matchDetail");
        return (await asked?.catch(() => undefined))?.info?.teams ?? []; // most worlds are no match
    }

    /** Whether states have the torques of servos: only plots need them. */
    setTorques = (on: boolean): void => {
        if (on === this.torques) return;
        this.torques = on;
        if (this.info) this.subscribe(this.info).catch(() => {}); // without a connection: when it is back
    };

    private async subscribe(world: WorldInfo): Promise<void> {
        const rateHz = Math.min(RATE_HZ, 1 / world.stepS);
        const fields = FIELDS | (this.torques ? StateField.TORQUES : 0);
        await this.session.client?.subscribe({ world: world.id, rateHz, fields, events: true });
    }

    /** undefined: no character, and the camera follows all. */
    select(entity: number | undefined): void {
        this.selected = entity;
    }

    /** The drawn state of the selected character. */
    get drawn(): Drawn | undefined {
        return this.selected === undefined ? undefined : this.stage.cast.drawn.get(this.selected);
    }

    nameOf = (entity: number): string => {
        const drawn = this.stage.cast.drawn.get(entity);
        if (drawn) return nameOf(drawn.state);
        const object = this.playback.newest?.objects.find((each) => each.entity === entity);
        return object?.name || `#${entity & 0xffff}`;
    };

    /** A description of what a character does, in a word or two. */
    doingBriefly = (state: CharacterState): string => doingBriefly(state, this.place(state));

    /** With the fragment in progress. */
    doing = (state: CharacterState): string => doing(state, this.place(state));

    /** Shows something, or hides it; returns which. */
    toggle(what: Showable): boolean {
        const { health, labels, stage } = this;
        if (what === "names") return (labels.visible = !labels.visible);
        if (what === "numbers") return (health.detailed = !health.detailed);
        stage.show(what, !stage.shown[what]);
        return stage.shown[what];
    }

    /** Characters of a model wear a mesh of the user's from now on, in this browser: a .glb or .vrm file, and a map of its bones (.json)
     * where their names are not known. Without files they have their skin again. It is the selected character's model, or the first one's. */
    wear = async (files: readonly File[]): Promise<void> => {
        const state = this.drawn?.state ?? this.playback.newest?.characters[0];
        if (state === undefined) throw new Error("Add a character first: the mesh is worn by one that is here");
        const map = files.find((file) => /\.json$/i.test(file.name));
        const mesh = files.find((file) => file !== map);
        if (mesh === undefined && map) throw new Error(`${map.name}: a map alone: choose it together with the .glb file`);
        const worn = mesh && { name: mesh.name, data: await mesh.arrayBuffer(), map: await map?.text() };
        const remember = () => keep(state.model, worn).catch(() => {}); // a private window keeps nothing, and shows it nevertheless
        if (!worn) await remember();
        await this.putOn(state.model, worn);
        if (worn) await remember();
    };

    private async putOn(model: string, worn: Worn | undefined): Promise<void> {
        if (worn === undefined) return this.stage.cast.wear(model, undefined);
        const { Meshes } = await import("../scene/meshes.js"); // the reader of glTF is loaded when it is needed
        const mesh = await Meshes.read(worn.name, worn.data, worn.map === undefined ? undefined : JSON.parse(worn.map), await this.knowledge.model(model));
        if (this.running) this.stage.cast.wear(model, mesh);
        else mesh.destroy();
    }

    /** The one before or after the selected one, in order of creation; undefined: no characters. */
    neighbour(by: number): number | undefined {
        const all = this.playback.newest?.characters ?? [];
        const at = all.findIndex((state) => state.entity === this.selected);
        return all[(at + by + all.length) % all.length]?.entity;
    }

    destroy(): void {
        this.running = false;
        this.session.onState = () => {};
        this.session.onEvents = () => {};
        if (this.info && this.session.client) this.session.client.unsubscribe(this.info.id).catch(() => {});
        this.resizing.disconnect();
        this.scheme.removeEventListener("change", this.recolor);
        document.removeEventListener("schemechange", this.recolor);
        this.stage.destroy();
    }

    private place({ controller, fragment }: CharacterState) {
        return this.knowledge.place(controller, fragment);
    }

    private take(state: WorldState): void {
        if (state.world !== this.info?.id) return;
        if (this.playback.newest === undefined) performance.mark("first state");
        this.playback.push(state, performance.now());
        this.traces.take(state, this.selected, this.info.stepS, this.limitsOf);
        for (const { model } of state.characters) if (!this.asked.has(model)) void this.learnModel(model);
        const news = this.stage.props.lacksShapes(state) || !this.asked.has("scenery");
        if (news && !this.askingShapes) void this.learnShapes(state.world);
    }

    private limitsOf = (model: string): readonly number[] => this.limitsNm.get(model) ?? [];

    private async learnModel(name: string): Promise<void> {
        this.asked.add(name);
        try {
            const model = await this.knowledge.model(name);
            performance.mark("first model");
            this.limitsNm.set(name, model.bodies.map(({ torqueLimitNm }) => torqueLimitNm));
            if (this.running) await this.stage.cast.addModel(name, planOf(model));
        } catch {
            this.asked.delete(name);
            return;
        }
        const worn = await wornBy(name).catch(() => undefined);
        if (worn && this.running) void attempt(() => this.putOn(name, worn));
    }

    private async learnShapes(world: number): Promise<void> {
        this.askingShapes = true;
        try {
            const state = await this.session.client?.state(world, StateField.OBJECTS | StateField.SHAPES | StateField.SURFACES);
            if (state) this.stage.learn(state);
            this.asked.add("scenery");
        } catch {
            // The world or the connection has ended: the next state tries again.
        }
        this.askingShapes = false;
    }

    private hear(batch: EventBatch): void {
        if (batch.world !== this.info?.id) return;
        for (const event of batch.events) {
            if (changesScenery(event)) this.asked.delete("scenery");
            this.feed.add(event, this.nameOf);
            this.onEvent(event);
        }
    }

    private frame(nowMs: number): void {
        if (!this.running) return;
        requestAnimationFrame((now) => this.frame(now));
        const began = performance.now();
        const dtS = Math.min(0.5, (nowMs - this.lastMs) / 1000);
        this.lastMs = nowMs;
        const sample = this.playback.sample(began);
        if (sample) this.stage.update(sample, this.selected, this.info?.stepS ?? 0.005);
        this.shown = sample && (sample.share < 0.5 ? sample.from : sample.to);
        this.camera.update(this.drawn, [...this.stage.cast.drawn.values()], dtS);
        this.onFrame(nowMs, dtS);
        if (sample) this.stage.render(nowMs); // before the first state the time is the connection's
        this.labels.update(this.stage, this.selected, this.detailOf);
        this.health.frame(began, this.playback, this.session.roundTripMs);
        this.measure(began);
    }

    private detailOf = ({ state }: Drawn): string => (state.entity === this.selected ? this.doing(state) : this.doingBriefly(state));

    private measure(began: number): void {
        const measures = this.measures;
        if (measures.firstPictureMs === 0 && this.stage.cast.drawn.size > 0) {
            this.stage.finish();
            measures.firstPictureMs = performance.now();
            performance.mark("first picture");
        }
        measures.frames++;
        measures.scriptMs.push(performance.now() - began);
        if (measures.scriptMs.length > SCRIPT_KEPT) measures.scriptMs.shift();
    }
}
