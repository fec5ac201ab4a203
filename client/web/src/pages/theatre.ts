/* A world on the screen: its states followed, drawn, named, its events told. Pages put their tools around it. */
import { Vector3 } from "three";
import { StateField, type Event, type EventBatch, type WorldInfo, type WorldState } from "troupe-client";
import type { Showable } from "../drive/keys.js";
import { planOf } from "../scene/figure/plan.js";
import { Stage } from "../scene/stage.js";
import type { Drawn } from "../scene/cast.js";
import type { Session } from "../session.js";
import { doing } from "../state/doing.js";
import type { Knowledge } from "../state/knowledge.js";
import { Playback } from "../state/playback.js";
import { h } from "../ui/element.js";
import { Feed } from "../ui/feed.js";
import { Health } from "../ui/health.js";
import { Labels, nameOf } from "../ui/labels.js";

const RATE_HZ = 30;
const NEAR_M = 15;
const place = new Vector3();
const FIELDS = StateField.BODIES | StateField.OBJECTS | StateField.CONTACTS | StateField.PUSHES;

/** What tests and the benchmark read: window.troupe. */
export interface Measures {
    firstPictureMs: number;
    frames: number;
    scriptMs: number[];
    shown: () => WorldState | undefined;
}

const SCRIPT_KEPT = 1200;

export class Theatre {
    readonly canvas = h("canvas", { tabindex: 0, "aria-label": "The world. Drag to look around, drag a body to push it." });
    readonly stage: Stage;
    readonly playback = new Playback();
    readonly labels = new Labels();
    readonly feed = new Feed();
    readonly health = new Health();
    readonly element: HTMLElement;
    selected: number | undefined;
    info: WorldInfo | undefined;
    onFrame: (nowMs: number, dtS: number) => void = () => {};
    onEvent: (event: Event) => void = () => {};
    private readonly measures: Measures;
    private readonly asked = new Set<string>();
    private askingShapes = false;
    private running = true;
    private lastMs = 0;
    private readonly resizing: ResizeObserver;
    private readonly scheme = matchMedia("(prefers-color-scheme: dark)");
    private readonly recolor = () => this.stage.recolor();

    constructor(
        private readonly session: Session,
        private readonly knowledge: Knowledge,
    ) {
        this.stage = new Stage(this.canvas);
        this.element = h("div", { class: "theatre" }, this.canvas, this.labels.element, this.feed.element, this.health.element);
        this.measures = { firstPictureMs: 0, frames: 0, scriptMs: [], shown: () => this.playback.newest };
        (window as unknown as { troupe: Measures & { theatre: Theatre } }).troupe = Object.assign(this.measures, { theatre: this });
        this.resizing = new ResizeObserver(() => this.stage.resize(this.canvas.clientWidth, this.canvas.clientHeight));
        this.resizing.observe(this.canvas);
        this.scheme.addEventListener("change", this.recolor);
        document.addEventListener("schemechange", this.recolor);
        session.onState = (state) => this.take(state);
        session.onEvents = (batch) => this.tell(batch);
        requestAnimationFrame((now) => this.frame(now));
    }

    /** Follows a world; again after a lost connection. */
    async follow(world: WorldInfo): Promise<void> {
        this.info = world;
        this.playback.setPaused(world.paused);
        const rateHz = Math.min(RATE_HZ, 1 / world.stepS);
        await this.session.client?.subscribe({ world: world.id, rateHz, fields: FIELDS, events: true });
    }

    select(entity: number | undefined): void {
        this.selected = entity;
    }

    nameOf = (entity: number): string => {
        const drawn = this.stage.cast.drawn.get(entity);
        if (drawn) return nameOf(drawn);
        const object = this.playback.newest?.objects.find((each) => each.entity === entity);
        return object?.name || `#${entity & 0xffff}`;
    };

    /** What to look at: the one selected, else the middle of the first and those near it; undefined: nobody is there. */
    middle(out: Vector3): Vector3 | undefined {
        const chosen = this.selected === undefined ? undefined : this.stage.cast.drawn.get(this.selected);
        const all = chosen ? [chosen] : [...this.stage.cast.drawn.values()];
        const first = all[0];
        if (first === undefined) return undefined;
        const near = all.filter((each) => Math.hypot(each.pos[0]! - first.pos[0]!, each.pos[1]! - first.pos[1]!) < NEAR_M);
        out.set(0, 0, 0);
        for (const { pos } of near) out.add(place.set(pos[0]!, pos[1]!, Math.max(0.5, pos[2]! * 0.9)));
        return out.divideScalar(near.length);
    }

    /** Shows something, or no longer; tells which. */
    toggle(what: Showable): boolean {
        const { labels, stage } = this;
        if (what === "names") return (labels.visible = !labels.visible);
        stage.show(what, !stage.shown[what]);
        return stage.shown[what];
    }

    /** The one before or after the one selected, in order of creation; undefined: nobody is there. */
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

    private take(state: WorldState): void {
        if (state.world !== this.info?.id) return;
        if (this.playback.newest === undefined) performance.mark("first state");
        this.playback.push(state, performance.now());
        for (const { model } of state.characters) if (!this.asked.has(model)) void this.learnModel(model);
        const news = this.stage.props.lacksShapes(state) || !this.asked.has("scenery");
        if (news && !this.askingShapes) void this.learnShapes(state.world);
    }

    private async learnModel(name: string): Promise<void> {
        this.asked.add(name);
        try {
            const model = await this.knowledge.model(name);
            if (this.running) await this.stage.cast.addModel(name, planOf(model));
        } catch {
            this.asked.delete(name);
        }
    }

    private async learnShapes(world: number): Promise<void> {
        this.askingShapes = true;
        try {
            const state = await this.session.client?.state(world, StateField.OBJECTS | StateField.SHAPES);
            if (state) this.stage.props.learn(state);
            this.asked.add("scenery");
        } catch {
            // The world is gone, or the connection: the next state asks again.
        }
        this.askingShapes = false;
    }

    private tell(batch: EventBatch): void {
        if (batch.world !== this.info?.id) return;
        for (const event of batch.events) {
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
        this.onFrame(nowMs, dtS);
        if (sample) this.stage.render(nowMs); // before the first state the time is the connection's
        this.labels.update(this.stage, this.selected, this.detailOf);
        this.health.frame(began, this.playback, this.session.roundTripMs);
        this.measure(began);
    }

    private detailOf = ({ state }: Drawn): string => doing(state, this.knowledge.place(state.controller, state.fragment));

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
