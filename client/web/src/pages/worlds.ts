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
            h("section", {}, h("h2", {}, "A new world"), form, h("p", { class: "quiet" }, "or begin with an example: ", example)));
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
        void this.make(name, Number(this.mode.value), async () => {});
    }

    private async make(name: string, mode: WorldMode, furnish: (client: Client, world: number) => Promise<void>): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const done = await attempt(async () => furnish(client, (await client.createWorld({ name, mode })).id));
        if (done) location.hash = `#/world/${encodeURIComponent(name)}`;
    }

    /** As many of walk and run as the catalogue has; else its first controller. */
    private async example(): Promise<void> {
        const all = await this.context.knowledge.controllers().catch(() => []);
        const known = ["walk", "run"].filter((name) => all.some((each) => each.name === name));
        const cast = known.length > 0 ? known : all.slice(0, 1).map((each) => each.name);
        const taken = new Set((await this.context.session.client?.worlds().catch(() => []))?.map((world) => world.name));
        let name = "example";
        for (let i = 2; taken.has(name); i++) name = `example ${i}`;
        await this.make(name, WorldMode.REAL_TIME, async (client, world) => {
            for (const [i, controller] of cast.entries())
                await client.command(world, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: 0 } } });
        });
    }
}
