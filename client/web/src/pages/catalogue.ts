/* The catalogue: controllers, what they are made of and where they come from. */
import { NounKind, StatusCode, StatusError, type Certificate, type Client, type ControllerDetail, type ControllerSummary } from "troupe-client";
import { fill, h } from "../ui/element.js";
import { lineageGraph } from "../ui/lineage.js";
import { controlGraph } from "../ui/graph.js";
import { certificateView } from "../ui/certificate.js";
import { fragmentStrip } from "../ui/fragments.js";
import type { Context, Page } from "./page.js";
import { stage } from "./worlds.js";

const GRAPH_PX = 560;

/** As the catalogue names the skill of controllers that are made of others. */
const GRAPH = "graph";

function kindWords({ skill, cyclic, durationS }: ControllerSummary): string {
    return skill === GRAPH ? "control graph" : `${cyclic ? "cycle" : "chain"} of ${durationS.toFixed(2)} s`;
}

function row(each: ControllerSummary, chosen: boolean): HTMLElement {
    return h("a", { class: "entry", href: `#/catalogue/${encodeURIComponent(each.name)}`, "aria-current": chosen ? "true" : undefined },
        h("span", { class: "name" }, each.name),
        h("span", { class: "quiet" }, kindWords(each)));
}

function facts(detail: ControllerDetail): HTMLElement {
    const each = detail.summary!;
    const graph = each.skill === GRAPH;
    const list: [string, string][] = [
        [graph ? "skills" : "skill", graph ? `${detail.skills.length} joined by ${detail.edges.length} ways` : each.skill],
        ["model", each.model],
        ["fragments", `${each.fragmentCount}${each.mirrored ? ", mirrored for the other half" : ""}`],
        ["duration", graph ? "that of its skills" : `${each.durationS.toFixed(3)} s ${each.cyclic ? "a cycle" : "in all"}`],
        ["step", `${each.stepS * 1000} ms`],
        ["gains", each.gainSet],
        ["clip", each.clip || (graph ? "those of its skills" : "none recorded")],
        ["run", each.run || (graph ? "those of its skills" : "none recorded")],
        ["digest", each.digest.slice(0, 16)],
    ];
    return h("dl", { class: "facts" }, list.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** undefined: it has none, or the daemon knows none. */
async function certificateOf(client: Client, controller: string): Promise<Certificate | undefined> {
    try {
        return await client.ask({ case: "getCertificate", value: { controller } }, "certificate");
    } catch (error) {
        if (error instanceof StatusError && (error.code === StatusCode.NOT_FOUND || error.code === StatusCode.UNIMPLEMENTED)) return undefined;
        throw error;
    }
}

export class CataloguePage implements Page {
    readonly title = "Catalogue";
    readonly element: HTMLElement;
    private readonly list = h("nav", { class: "entries", "aria-label": "Controllers" });
    private readonly detail = h("article", { class: "detail" });

    constructor(
        private readonly context: Context,
        private readonly name: string | undefined,
    ) {
        this.element = h("main", { class: "page wide catalogue" }, h("h1", {}, "Catalogue"), h("div", { class: "columns" }, this.list, this.detail));
        this.connected();
    }

    connected(): void {
        void this.show().catch((error: Error) => fill(this.detail, h("p", { class: "error" }, error.message)));
    }

    private async show(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const all = await this.context.knowledge.controllers();
        const name = this.name ?? all[0]?.name;
        fill(this.list, all.length === 0 ? h("p", { class: "quiet" }, "The catalogue is empty.") : all.map((each) => row(each, each.name === name)));
        if (name === undefined) return;
        this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
        const [detail, lineage, certificate] = await Promise.all([client.controller(name), client.lineage(NounKind.CONTROLLER, name), certificateOf(client, name)]);
        const graph = detail.edges.length > 0 ? controlGraph(detail, Math.min(GRAPH_PX, this.detail.clientWidth)) : undefined;
        fill(this.detail,
            h("header", {}, h("h2", {}, name), h("button", { onclick: () => void stage(this.context, name.slice(0, 40), [name]) }, "See it live")), facts(detail),
            graph && h("section", {}, h("h3", {}, "Control graph"), graph.element),
            h("section", {}, h("h3", {}, "Certificate"), certificate ? certificateView(certificate) : h("p", { class: "quiet" }, `None yet. Measure one with: troupe-train certify ${name}`)),
            h("section", {}, h("h3", {}, "Control fragments"), fragmentStrip(detail)),
            h("section", {}, h("h3", {}, "Where it comes from"), lineageGraph(lineage)));
    }
}
