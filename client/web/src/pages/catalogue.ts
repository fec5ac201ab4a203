/* The catalogue: controllers, what they are made of, and how they were made. */
import { NounKind, StatusCode, StatusError, type Certificate, type Client, type ControllerDetail, type ControllerSummary, type RunDetail } from "troupe-client";
import { firstController, isGraph, sectionsOf } from "../state/choice.js";
import { skillGraphOf } from "../state/skill_graph.js";
import { kindOf } from "../ui/drivers/drawing.js";
import { runView } from "../ui/curves.js";
import { showCommand } from "../ui/dialog.js";
import { fill, h } from "../ui/element.js";
import { lineageGraph } from "../ui/lineage.js";
import { attempt } from "../ui/toast.js";
import { sendFile } from "../ui/upload.js";
import { ALL_SKILLS, certificateView, skillCertificates } from "../ui/certificate.js";
import { fragmentStrip } from "../ui/fragments.js";
import type { Context, Page } from "./page.js";
import { stage } from "./worlds.js";

const DRAWING_PX = 640;
const LOOK_AGAIN_MS = 5000; // at a run, which may still be in progress
const KINDS: Record<string, string> = { graph: "control graph", network: "control graph with a network" };

function kindWords(summary: ControllerSummary): string {
    if (summary.kind !== "" && summary.kind !== "chain") return KINDS[summary.kind] ?? summary.kind;
    return isGraph(summary) ? KINDS.graph! : `${summary.cyclic ? "cycle" : "chain"} of ${summary.durationS.toFixed(2)} s`;
}

function row(each: ControllerSummary, chosen: boolean): HTMLElement {
    return h("a", { class: "entry", href: `#/catalogue/${encodeURIComponent(each.name)}`, "aria-current": chosen ? "true" : undefined },
        h("span", { class: "name" }, each.name),
        h("span", { class: "quiet" }, kindWords(each)));
}

/** Of a graph what is its own; the rest is that of the controllers it is made of. */
function facts(detail: ControllerDetail): HTMLElement {
    const each = detail.summary!;
    const common: [string, string][] = [["model", each.model], ["step", `${each.stepS * 1000} ms`], ["gains", each.gainSet], ["run", each.run || "none recorded"], ["digest", each.digest.slice(0, 16)]];
    const list = isGraph(each) ? graphFacts(detail) : chainFacts(each);
    return h("dl", { class: "facts" }, [...list, ...common].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function graphFacts(detail: ControllerDetail): [string, string][] {
    const { nodes, ways } = skillGraphOf(detail);
    const seconds = detail.fragments.reduce((sum, { durationS }) => sum + durationS, 0);
    return [["skills", String(nodes.length)], ["ways", `${ways.length} between them`], ["fragments", `${detail.fragments.length}, ${seconds.toFixed(1)} s in all`]];
}

function chainFacts({ skill, fragmentCount, mirrored, durationS, cyclic, clip }: ControllerSummary): [string, string][] {
    if (fragmentCount === 0) return [["skill", skill]];
    return [
        ["skill", skill],
        ["fragments", `${fragmentCount}${mirrored ? ", mirrored for the other half" : ""}`],
        ["duration", `${durationS.toFixed(3)} s ${cyclic ? "a cycle" : "in all"}`],
        ["clip", clip || "none recorded"],
    ];
}

/** Of a graph those of each skill, folded: there are many. */
function fragmentsOf(detail: ControllerDetail): HTMLElement {
    if (detail.skills.length === 1) return fragmentStrip(detail.fragments, detail.skills[0]!.mirrored);
    const strips = detail.skills.map(({ name, firstFragment, fragmentCount, mirrored }) => h("div", {}, h("h4", {}, name), fragmentStrip(detail.fragments.slice(firstFragment, firstFragment + fragmentCount), mirrored)));
    return h("details", {}, h("summary", {}, `Those of each of the ${detail.skills.length} skills and transitions`), strips);
}

/** undefined: it has none, or the daemon has no certificates. */
async function certificateOf(client: Client, controller: string, skill = ""): Promise<Certificate | undefined> {
    try {
        return await client.ask({ case: "getCertificate", value: { controller, skill } }, "certificate");
    } catch (error) {
        if (error instanceof StatusError && (error.code === StatusCode.NOT_FOUND || error.code === StatusCode.UNIMPLEMENTED)) return undefined;
        throw error;
    }
}

/** Those of random walks and of each skill in which trials began; asked for one after the other, as there are many. */
async function certificatesOfSkills(client: Client, detail: ControllerDetail): Promise<Certificate[]> {
    const found: Certificate[] = [];
    for (const skill of [ALL_SKILLS, ...skillGraphOf(detail).nodes.map(({ name }) => name)]) {
        const certificate = await certificateOf(client, detail.summary!.name, skill);
        if (certificate?.skill === skill) found.push(certificate); // an older daemon knows no skills, and answers with that of the whole
    }
    return found;
}

/** undefined: none is recorded. */
async function runOf(client: Client, name: string): Promise<RunDetail | undefined> {
    return name === "" ? undefined : client.ask({ case: "getRun", value: { name } }, "run");
}

/** For a skill that was learned here, a button for each graph of its model. */
function joining({ name, section, kind, cyclic, model }: ControllerSummary, all: readonly ControllerSummary[]): HTMLElement[] {
    if (section !== "" || (kind !== "" && kind !== "chain") || !cyclic) return [];
    const more = "Run it in Troupe's source folder, with the daemon's state directory in the place of STATE. It learns transitions between the skill and the graph in a few core-minutes, and writes a bundle: add it below. A skill that goes somewhere joins better by a gait: add its name, as walk-slow.";
    const show = (graph: string) => () => showCommand(`Add ${name} to ${graph}`, `controllers/recipes/add-skill.sh STATE/catalogue.sqlite ${name} ${graph}`, more);
    return all.filter((each) => isGraph(each) && each.kind !== "scheduler" && each.model === model).map((graph) => h("button", { onclick: show(graph.name) }, `Add to ${graph.name}`));
}

export class CataloguePage implements Page {
    readonly title = "Catalogue";
    readonly element: HTMLElement;
    private readonly list = h("nav", { class: "entries", "aria-label": "Controllers" });
    private readonly detail = h("article", { class: "detail" });
    private readonly run = h("div", {});
    private readonly ofSkills = h("div", {});
    private readonly file = h("input", { type: "file", accept: ".troupe", "aria-label": "Bundle file", onchange: () => void this.add() });
    private readonly timer = setInterval(() => void this.lookAgain(), LOOK_AGAIN_MS);
    private shownRun: RunDetail | undefined;

    constructor(
        private readonly context: Context,
        private readonly name: string | undefined,
    ) {
        this.element = h("main", { class: "page wide catalogue" }, h("h1", {}, "Catalogue"), h("div", { class: "columns" }, this.list, this.detail),
            h("section", {}, h("h2", {}, "Add a bundle of controllers: choose or drop a file"), this.file));
        this.element.addEventListener("dragover", (event) => event.preventDefault());
        this.element.addEventListener("drop", (event) => {
            event.preventDefault();
            if (event.dataTransfer) this.file.files = event.dataTransfer.files;
            void this.add();
        });
        this.connected();
    }

    connected(): void {
        void this.add();
        void this.show().catch((error: Error) => fill(this.detail, h("p", { class: "error" }, error.message)));
    }

    destroy(): void {
        clearInterval(this.timer);
    }

    /** The list then has its controllers; no world changes. Without a connection the file stays chosen until there is one. */
    private async add(): Promise<void> {
        const file = this.file.files?.[0];
        const client = this.context.session.client;
        if (file === undefined || client === undefined) return;
        this.file.value = "";
        await attempt(() => sendFile(file, (value) => client.tell({ case: "addBundle", value })));
        this.context.knowledge.forget();
        this.connected();
    }

    private showRun(run: RunDetail): void {
        this.shownRun = run;
        fill(this.run, runView(run));
    }

    /** A training in progress grows. */
    private async lookAgain(): Promise<void> {
        const { client } = this.context.session;
        const shown = this.shownRun?.summary;
        if (client === undefined || shown === undefined || shown.endedUnixNs !== 0n) return;
        const run = await runOf(client, shown.name).catch(() => undefined);
        if (run) this.showRun(run);
    }

    /** Comes last: a graph has many. */
    private async showSkills(client: Client, detail: ControllerDetail): Promise<void> {
        const found = isGraph(detail.summary!) ? await certificatesOfSkills(client, detail) : [];
        fill(this.ofSkills, found.length > 0 && [h("h4", {}, "Begun in each skill"), skillCertificates(found)]);
    }

    /** In the list alone: the page stays at its top. */
    private showEntry(entry: HTMLElement | null): void {
        if (entry === null) return;
        const { clientWidth, clientHeight } = this.list;
        this.list.scrollTo(entry.offsetLeft - (clientWidth - entry.offsetWidth) / 2, entry.offsetTop - (clientHeight - entry.offsetHeight) / 2);
    }

    private async show(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const all = await this.context.knowledge.controllers();
        const asked = this.name ?? firstController(all)?.name;
        const isPresent = asked === undefined || all.some((each) => each.name === asked);
        const name = isPresent ? asked : (await client.controller(asked)).summary!.name; // a former name leads on
        const rows = sectionsOf(all).map(({ title, controllers }) => [h("h2", { class: "group" }, title), controllers.map((each) => row(each, each.name === name))]);
        fill(this.list, rows, all.length === 0 && h("p", { class: "quiet" }, "The catalogue is empty. Learn a controller with: troupe-train learn CLIP"));
        if (name === undefined) return;
        this.showEntry(this.list.querySelector("[aria-current]"));
        const [detail, lineage, certificate] = await Promise.all([client.controller(name), client.lineage(NounKind.CONTROLLER, name), certificateOf(client, name)]);
        const kind = kindOf(detail);
        const run = await runOf(client, detail.summary!.run).catch(() => undefined); // of an imported bundle it may be missing
        if (run) this.showRun(run);
        fill(this.detail,
            h("header", {}, h("h2", {}, name), this.context.session.directs && [joining(detail.summary!, all), h("button", { class: "primary", onclick: () => void stage(this.context, name, [name]) }, "See it live")]),
            detail.summary!.purpose !== "" && h("p", { class: "purpose" }, detail.summary!.purpose), facts(detail),
            h("section", {}, h("h3", {}, kind.title), kind.draw(detail, Math.min(DRAWING_PX, this.detail.clientWidth)).element),
            h("section", {}, h("h3", {}, "Certificate"), certificate ? certificateView(certificate) : h("p", { class: "quiet" }, `Not measured yet. Measure one with: troupe-train certify ${name}`), this.ofSkills),
            detail.fragments.length > 0 && h("section", {}, h("h3", {}, "Control fragments"), fragmentsOf(detail)),
            h("section", {}, h("h3", {}, "How it was made"), lineageGraph(lineage)),
            run && h("section", {}, h("h3", {}, "Its training"), this.run));
        await this.showSkills(client, detail).catch(() => undefined); // the page is complete without them
    }
}
