/* The first page: what this is, a world by one click, and the worlds there are. */
import { WorldMode, type Client, type WorldInfo } from "troupe-client";
import { planOf } from "../scene/figure/plan.js";
import { Frieze } from "../scene/frieze.js";
import { firstController } from "../state/choice.js";
import { freeName } from "../state/names.js";
import { fill, h, setText } from "../ui/element.js";
import { attempt, toast } from "../ui/toast.js";
import frieze from "./frieze.json";
import type { Context, Page } from "./page.js";

const EVERY_MS = 2000;
const NAME_MAX = 40; // leaves room for a number
const MODES: Record<number, string> = {
    [WorldMode.REAL_TIME]: "real time",
    [WorldMode.STEPPED]: "stepped by clients",
    [WorldMode.FAST]: "as fast as possible",
};

function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function card(world: WorldInfo): HTMLElement {
    const mode = MODES[world.mode] ?? "";
    const pace = world.paused ? "paused" : world.mode === WorldMode.REAL_TIME && world.rate !== 1 ? `${mode}, ${world.rate}×` : mode;
    return h("a", { class: "card", href: worldAddress(world.name) },
        h("h3", {}, world.name),
        h("p", {}, plural(world.characterCount, "character"), world.objectCount > 0 && `, ${plural(world.objectCount, "object")}`),
        h("p", { class: "quiet" }, `${pace} · ${world.timeS.toFixed(1)} s`));
}

function worldAddress(name: string): string {
    return `#/world/${encodeURIComponent(name)}`;
}

/** Makes a world with a character for each of the controllers, side by side, and opens its page. */
async function make(client: Client, name: string, mode: WorldMode, controllers: string[]): Promise<void> {
    const done = await attempt(async () => {
        const { id } = await client.createWorld({ name, mode, lookAhead: true });
        for (const [i, controller] of controllers.entries())
            await client.command(id, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: 0 } } });
    });
    if (done) location.hash = worldAddress(name);
}

/** In real time, with a number in its name when that is taken. */
export async function stage({ session }: Context, wanted: string, controllers: string[]): Promise<void> {
    const client = session.client;
    if (client === undefined) return;
    const worlds = await client.worlds().catch(() => []);
    await make(client, freeName(wanted.slice(0, NAME_MAX), worlds.map(({ name }) => name)), WorldMode.REAL_TIME, controllers);
}

export class WorldsPage implements Page {
    readonly title = "Worlds";
    readonly element: HTMLElement;
    private readonly picture = h("canvas", { class: "frieze", role: "img", "aria-label": "Moments of a backflip", hidden: true });
    private readonly promise = h("p", { class: "quiet" });
    private readonly start = h("button", { class: "primary large", onclick: () => void this.begin() }, "Start");
    private readonly list = h("div", { class: "cards" });
    private readonly worlds = h("section", { hidden: true }, h("h2", {}, "Worlds"), this.list);
    private readonly empty: HTMLElement;
    private readonly name = h("input", { type: "text", required: true, maxlength: 47, placeholder: "arena", "aria-label": "Name of the world" });
    private readonly mode = h("select", { "aria-label": "Time of the world" },
        h("option", { value: WorldMode.REAL_TIME }, "real time"), h("option", { value: WorldMode.FAST }, "as fast as possible"));
    private readonly timer: ReturnType<typeof setInterval>;
    private readonly redraw = () => this.drawn?.draw();
    private drawn: Frieze | undefined;

    constructor(private readonly context: Context) {
        const form = h("form", { class: "row", onsubmit: (event: Event) => this.create(event) }, this.name, this.mode, h("button", { type: "submit" }, "Create"));
        this.empty = h("details", {}, h("summary", {}, "Create an empty world"), form);
        this.element = h("main", { class: "page home" },
            h("section", { class: "hero" },
                h("h1", {}, "Characters that keep their balance"),
                h("p", { class: "lead" }, "Troupe simulates people by physics. They walk, run, kick and flip by skills learned from motion capture. Push them: they catch themselves, or fall and get up."),
                h("div", { class: "row" }, this.start, this.promise)),
            this.picture, this.worlds, this.empty);
        this.timer = setInterval(() => void this.refresh(), EVERY_MS);
        window.addEventListener("resize", this.redraw);
        document.addEventListener("schemechange", this.redraw);
        this.connected();
    }

    connected(): void {
        void this.refresh();
        void this.offer().catch(() => {});
        void this.drawFrieze().catch(() => {}); // a catalogue without this model has no picture
    }

    destroy(): void {
        clearInterval(this.timer);
        window.removeEventListener("resize", this.redraw);
        document.removeEventListener("schemechange", this.redraw);
        this.drawn?.destroy();
    }

    private async refresh(): Promise<void> {
        const worlds = await this.context.session.client?.worlds().catch(() => undefined);
        if (worlds === undefined) return;
        this.worlds.hidden = worlds.length === 0;
        fill(this.list, worlds.map(card));
    }

    /** Says what the button does, to those who may. */
    private async offer(): Promise<void> {
        const { session, knowledge } = this.context;
        if (session.client === undefined) return;
        this.start.hidden = this.empty.hidden = !session.directs;
        if (!session.directs) return setText(this.promise, "Choose a world below. To make one, log in with a director’s key.");
        const first = firstController(await knowledge.controllers());
        if (first === undefined) setText(this.promise, "The catalogue has no controllers yet. Learn one with: troupe-train learn CLIP");
        else setText(this.promise, `makes a world with one character, driven by “${first.name}”`);
        this.start.disabled = first === undefined;
    }

    private async drawFrieze(): Promise<void> {
        if (this.drawn || this.context.session.client === undefined) return;
        const model = await this.context.knowledge.model(frieze.model);
        if (this.drawn || !this.picture.isConnected) return;
        const scaled = (values: number[]) => values.map((value) => value / frieze.thousandths);
        const moments = frieze.moments.map(({ pos, rot }) => ({ pos: scaled(pos), rot: scaled(rot) }));
        if (moments[0]!.pos.length !== 3 * model.bodies.length) return;
        this.picture.hidden = false;
        this.drawn = new Frieze(this.picture, moments);
        this.picture.style.aspectRatio = String(this.drawn.aspect);
        await this.drawn.show(planOf(model));
        this.picture.classList.add("drawn");
    }

    private create(event: Event): void {
        event.preventDefault();
        const client = this.context.session.client;
        if (client) void make(client, this.name.value.trim(), Number(this.mode.value), []);
    }

    /** A world with the most versatile controller. */
    private async begin(): Promise<void> {
        const first = firstController(await this.context.knowledge.controllers().catch(() => []));
        if (first) await stage(this.context, first.name, [first.name]);
        else toast("The catalogue has no controllers yet", "error");
    }
}
