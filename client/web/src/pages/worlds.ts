/* The worlds of the daemon, and the making of one. */
import { WorldMode, type Client, type WorldInfo } from "troupe-client";
import { fill, h } from "../ui/element.js";
import { attempt } from "../ui/toast.js";
import type { Context, Page } from "./page.js";

const EVERY_MS = 2000;
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
    return h("a", { class: "card", href: `#/world/${encodeURIComponent(world.name)}` },
        h("h2", {}, world.name),
        h("p", {}, plural(world.characterCount, "character"), world.objectCount > 0 && `, ${plural(world.objectCount, "object")}`),
        h("p", { class: "quiet" }, `${pace} · ${world.timeS.toFixed(1)} s`));
}

/** Makes a world with a character for each of the controllers, side by side, and goes there. */
async function make(client: Client, name: string, mode: WorldMode, controllers: string[]): Promise<void> {
    const done = await attempt(async () => {
        const { id } = await client.createWorld({ name, mode });
        for (const [i, controller] of controllers.entries())
            await client.command(id, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: 0 } } });
    });
    if (done) location.hash = `#/world/${encodeURIComponent(name)}`;
}

/** ... in real time, with a number in its name when that is taken. */
export async function stage({ session }: Context, wanted: string, controllers: string[]): Promise<void> {
    const client = session.client;
    if (client === undefined) return;
    const taken = new Set((await client.worlds().catch(() => [])).map((world) => world.name));
    let name = wanted;
    for (let i = 2; taken.has(name); i++) name = `${wanted} ${i}`;
    await make(client, name, WorldMode.REAL_TIME, controllers);
}

export class WorldsPage implements Page {
    readonly title = "Worlds";
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "cards" });
    private readonly intro = h("p", { class: "lead" });
    private readonly name = h("input", { type: "text", required: true, maxlength: 47, placeholder: "arena", "aria-label": "Name of the world" });
    private readonly mode = h("select", { "aria-label": "Time of the world" },
        h("option", { value: WorldMode.REAL_TIME }, "real time"), h("option", { value: WorldMode.FAST }, "as fast as possible"));
    private readonly timer: ReturnType<typeof setInterval>;

    constructor(private readonly context: Context) {
        const form = h("form", { class: "row", onsubmit: (event: Event) => this.create(event) },
            this.name, this.mode, h("button", { class: "primary", type: "submit" }, "Create"));
        const example = h("button", { onclick: () => void this.example() }, "A walker and a runner");
        this.element = h("main", { class: "page" },
            h("h1", {}, "Worlds"), this.intro, this.list,
            h("section", {}, h("h2", {}, "A new world"), form, h("div", { class: "example" }, h("span", { class: "quiet" }, "or begin with an example:"), example)));
        this.timer = setInterval(() => void this.refresh(), EVERY_MS);
        void this.refresh();
    }

    connected(): void {
        void this.refresh();
    }

    destroy(): void {
        clearInterval(this.timer);
    }

    private async refresh(): Promise<void> {
        const worlds = await this.context.session.client?.worlds().catch(() => undefined);
        if (worlds === undefined) return;
        this.intro.textContent = worlds.length === 0 ? "No world is running. Create one, or begin with the example." : "Pick one to see it live.";
        fill(this.list, worlds.map(card));
    }

    private create(event: Event): void {
        event.preventDefault();
        const name = this.name.value.trim();
        const client = this.context.session.client;
        if (client) void make(client, name, Number(this.mode.value), []);
    }

    /** As many of walk and run as the catalogue has; else its first controller. */
    private async example(): Promise<void> {
        const all = await this.context.knowledge.controllers().catch(() => []);
        const known = ["walk", "run"].filter((name) => all.some((each) => each.name === name));
        await stage(this.context, "example", known.length > 0 ? known : all.slice(0, 1).map((each) => each.name));
    }
}
