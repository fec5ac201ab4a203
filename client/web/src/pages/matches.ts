/* Matches: those there are, and one with its statistics and bouts. */
import { BoutOutcome, MatchMode, MatchState, type Bout, type MatchDetail, type MatchInfo, type MatchProgress, type ServerMessageKind, type TeamStatistics } from "troupe-client";
import { fill, h, setText } from "../ui/element.js";
import { attempt } from "../ui/toast.js";
import type { Context, Page } from "./page.js";

const EVERY_MS = 3000;
const STATES: Partial<Record<MatchState, string>> = {
    [MatchState.RUNNING]: "running",
    [MatchState.DONE]: "done",
    [MatchState.CANCELLED]: "cancelled",
    [MatchState.FAILED]: "failed",
};
const OUTCOMES: Partial<Record<BoutOutcome, string>> = { [BoutOutcome.DRAWN]: "drawn", [BoutOutcome.VOID]: "void" };

function address(name: string): string {
    return `#/matches/${encodeURIComponent(name)}`;
}

function progressBar(done: number, of: number): HTMLElement {
    return h("progress", { value: done, max: Math.max(1, of), "aria-label": "Bouts done" });
}

function card(match: MatchInfo): HTMLElement {
    return h("a", { class: "card", href: address(match.name) },
        h("h2", {}, match.name),
        h("p", {}, match.teams.join(" against ")),
        h("p", { class: "quiet" }, `${match.rule} · ${match.boutsDone} of ${match.bouts} bouts · ${STATES[match.state] ?? ""}`),
        match.state === MatchState.RUNNING && progressBar(match.boutsDone, match.bouts));
}

/** A share with its interval as a bar. */
function intervalBar(team: TeamStatistics): HTMLElement {
    const bar = h("span", { class: "interval", title: `${(100 * team.winRateLow).toFixed(1)} to ${(100 * team.winRateHigh).toFixed(1)} %` }, h("i", {}), h("b", {}));
    const [range, mean] = bar.children as unknown as [HTMLElement, HTMLElement];
    range.style.left = `${100 * team.winRateLow}%`;
    range.style.width = `${100 * (team.winRateHigh - team.winRateLow)}%`;
    mean.style.left = `${100 * team.winRate}%`;
    return bar;
}

function teamRow(team: TeamStatistics): HTMLElement {
    return h("tr", {}, h("td", {}, team.name), h("td", { class: "number" }, team.wins), h("td", { class: "number" }, `${(100 * team.winRate).toFixed(1)} %`),
        h("td", {}, intervalBar(team)), h("td", { class: "number" }, team.score ? `${team.score.mean.toPrecision(4)} (${team.score.low.toPrecision(4)} to ${team.score.high.toPrecision(4)})` : ""));
}

function boutRow(bout: Bout, detail: MatchDetail): HTMLElement {
    const outcome = bout.outcome === BoutOutcome.WON ? (detail.info?.teams[bout.winner] ?? "") : (OUTCOMES[bout.outcome] ?? "");
    const seconds = Number(bout.ticks) * (detail.match?.stepS || 0.005);
    return h("tr", {}, h("td", { class: "number" }, bout.position + 1), h("td", {}, outcome), h("td", { class: "number" }, bout.score.map((each) => Number(each.toPrecision(4))).join(" : ")),
        h("td", { class: "number" }, `${seconds.toFixed(2)} s`), h("td", {}, h("code", {}, bout.hash.toString(16).padStart(16, "0"))), h("td", {}, bout.reason));
}

export class MatchesPage implements Page {
    readonly title = "Matches";
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "cards" });
    private readonly intro = h("p", { class: "lead" });
    private readonly timer: ReturnType<typeof setInterval>;

    constructor(private readonly context: Context) {
        this.element = h("main", { class: "page" }, h("h1", {}, "Matches"), this.intro, this.list);
        this.timer = setInterval(() => this.connected(), EVERY_MS);
        this.connected();
    }

    connected(): void {
        void this.show().catch((error: Error) => setText(this.intro, error.message));
    }

    destroy(): void {
        clearInterval(this.timer);
    }

    private async show(): Promise<void> {
        const list = await this.context.session.client?.ask({ case: "listMatches", value: { page: { size: 256 } } }, "matchList");
        if (list === undefined) return;
        setText(this.intro, list.matches.length === 0 ? "No match was fought yet. Begin one with: troupe match run FILE" : "Newest last.");
        fill(this.list, list.matches.map(card));
    }
}

export class MatchPage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly head = h("div", {});
    private readonly body = h("div", {});
    private readonly timer: ReturnType<typeof setInterval>;
    private state: MatchState = MatchState.UNSPECIFIED;

    constructor(
        private readonly context: Context,
        private readonly name: string,
    ) {
        this.title = name;
        this.element = h("main", { class: "page wide" }, h("p", {}, h("a", { href: "#/matches" }, "All matches")), h("h1", {}, name), this.head, this.body);
        context.session.onMessage = (message) => this.hear(message);
        this.timer = setInterval(() => this.state === MatchState.RUNNING && this.connected(), EVERY_MS);
        this.connected();
    }

    connected(): void {
        void this.show().catch((error: Error) => fill(this.head, h("p", { class: "error" }, error.message)));
    }

    destroy(): void {
        clearInterval(this.timer);
        this.context.session.onMessage = () => {};
        if (this.state === MatchState.RUNNING) this.context.session.client?.tell({ case: "unwatchMatch", value: { name: this.name } }).catch(() => {});
    }

    private async show(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const detail = await client.ask({ case: "getMatch", value: { name: this.name, page: { size: 100 } } }, "matchDetail");
        const info = detail.info!;
        if (info.state === MatchState.RUNNING && this.state !== MatchState.RUNNING) client.tell({ case: "watchMatch", value: { name: this.name } }).catch(() => {});
        this.state = info.state;
        this.showHead(info);
        this.showBody(detail);
    }

    private hear(message: ServerMessageKind): void {
        if (message.case !== "matchProgress") return;
        const progress: MatchProgress = message.value;
        if (progress.info?.name !== this.name) return;
        this.showHead(progress.info);
        if (progress.info.state !== MatchState.RUNNING) this.connected();
    }

    private showHead(info: MatchInfo): void {
        const cancel = () => void attempt(() => this.context.session.client!.tell({ case: "cancelMatch", value: { name: this.name } })).then(() => this.connected());
        const hosted = info.state === MatchState.RUNNING && info.mode !== MatchMode.HEADLESS;
        fill(this.head,
            h("p", {}, `${info.teams.join(" against ")}: ${info.rule}, seed ${info.seed}. ${info.boutsDone} of ${info.bouts} bouts, ${STATES[info.state] ?? ""}${info.reason ? `: ${info.reason}` : ""}.`),
            info.state === MatchState.RUNNING && progressBar(info.boutsDone, info.bouts),
            h("div", { class: "row" },
                hosted && h("a", { class: "button", href: `#/world/${encodeURIComponent(info.name)}` }, "Watch live"),
                info.state === MatchState.RUNNING && h("button", { onclick: cancel }, "Cancel")));
    }

    private showBody(detail: MatchDetail): void {
        const heads = (names: [string, boolean][]) => h("thead", {}, h("tr", {}, names.map(([name, number]) => h("th", { class: number ? "number" : "" }, name))));
        fill(this.body,
            h("section", {}, h("h2", {}, "Teams"), h("div", { class: "scrolling" }, h("table", {},
                heads([["team", false], ["wins", true], ["share", true], ["95 % interval", false], ["score", true]]), h("tbody", {}, detail.teams.map(teamRow)))),
                h("p", { class: "quiet" }, `${detail.draws} drawn, ${detail.voids} void. Results hash ${detail.resultsHash.toString(16).padStart(16, "0")}.`)),
            h("section", {}, h("h2", {}, "Bouts"), h("div", { class: "scrolling" }, h("table", {},
                heads([["bout", true], ["winner", false], ["score", true], ["time", true], ["state hash", false], ["", false]]), h("tbody", {}, detail.bouts.map((bout) => boutRow(bout, detail)))))));
    }
}
