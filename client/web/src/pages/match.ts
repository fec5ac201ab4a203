/* One match: watched while it is fought in a world; its statistics, and its bouts, which can be replayed. */
import { BoutOutcome, MatchMode, MatchState, StatusCode, StatusError, type Bout, type Client, type MatchDetail, type MatchInfo, type ServerMessageKind, type TeamStatistics } from "troupe-client";
import { Pointer } from "../drive/pointer.js";
import { fill, h } from "../ui/element.js";
import { attempt, toast } from "../ui/toast.js";
import { progressBar, stateWords } from "./matches.js";
import type { Context, Page } from "./page.js";
import { recordingAddress, recordingName } from "./recordings.js";
import { Theatre } from "./theatre.js";

const EVERY_MS = 2000;
const PAGE_SIZE = 100;
const BUTTONS = "buttons"; // class of a column
const OUTCOMES: Partial<Record<BoutOutcome, string>> = { [BoutOutcome.DRAWN]: "drawn", [BoutOutcome.VOID]: "void" };

/** It is being fought in a world. */
function isHosted({ state, mode }: MatchInfo): boolean {
    return state === MatchState.RUNNING && mode !== MatchMode.HEADLESS && mode !== MatchMode.UNSPECIFIED;
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
        h("td", {}, intervalBar(team)), h("td", { class: "number" }, team.score?.mean.toFixed(2), team.score && h("span", { class: "spare" }, ` (${team.score.low.toFixed(2)} to ${team.score.high.toFixed(2)})`)));
}

/** All with as many digits as the finest of them needs. */
function scoreWords(score: number[]): string {
    return score.map((each) => each.toFixed(score.every(Number.isInteger) ? 0 : 3)).join(" : ");
}

/** heads: a name and the class of its cells; the names of columns of buttons are only read aloud. */
function table(heads: [string, string][], rows: HTMLElement[]): HTMLElement {
    const head = h("tr", {}, heads.map(([name, kind]) => h("th", { class: kind }, kind === BUTTONS ? h("span", { class: "unseen" }, name) : name)));
    return h("div", { class: "scrolling" }, h("table", { class: "close" }, h("thead", {}, head), h("tbody", {}, rows)));
}

export class MatchPage implements Page {
    readonly title: string;
    readonly element: HTMLElement;
    private readonly head = h("div", {});
    private readonly arena = h("div", { class: "arena", hidden: true });
    private readonly body = h("div", {});
    private readonly timer: ReturnType<typeof setInterval>;
    private state: MatchState = MatchState.UNSPECIFIED;
    private theatre: Theatre | undefined;
    /** The connection over which its world is followed. */
    private shown: Client | undefined;

    constructor(
        private readonly context: Context,
        private readonly name: string,
    ) {
        this.title = name;
        this.element = h("main", { class: "page wide" }, h("p", {}, h("a", { href: "#/matches" }, "All matches")), h("h1", {}, name), this.head, this.arena, this.body);
        context.session.onMessage = (message) => this.hear(message);
        this.timer = setInterval(() => this.state === MatchState.RUNNING && this.show(), EVERY_MS);
        this.connected();
    }

    /** The daemon forgets who watches when a connection is lost. */
    connected(): void {
        this.state = MatchState.UNSPECIFIED;
        this.show();
    }

    destroy(): void {
        clearInterval(this.timer);
        this.context.session.onMessage = () => {};
        this.theatre?.destroy();
        if (this.state === MatchState.RUNNING) this.context.session.client?.tell({ case: "unwatchMatch", value: { name: this.name } }).catch(() => {});
    }

    private show(): void {
        void this.ask().catch((error: Error) => fill(this.head, h("p", { class: "error" }, error.message)));
    }

    private async ask(): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const detail = await this.detail(client, "");
        const info = detail.info!;
        const begins = info.state === MatchState.RUNNING && this.state !== MatchState.RUNNING;
        this.state = info.state;
        this.showHead(info);
        this.showBody(detail);
        this.arena.hidden = info.state !== MatchState.RUNNING || this.theatre === undefined;
        if (begins || this.misses(info)) await this.watch(client);
    }

    private detail(client: Client, token: string): Promise<MatchDetail> {
        return client.ask({ case: "getMatch", value: { name: this.name, page: { size: PAGE_SIZE, token } } }, "matchDetail");
    }

    private hear(message: ServerMessageKind): void {
        if (message.case !== "matchProgress" || message.value.info?.name !== this.name) return;
        this.showHead(message.value.info);
        if (message.value.info.state !== MatchState.RUNNING) this.show();
    }

    /** It is fought in a world that is not shown yet. */
    private misses(info: MatchInfo): boolean {
        return isHosted(info) && this.shown !== this.context.session.client;
    }

    /** Its progress from now on, and the world in which it is fought, when there is one. */
    private async watch(client: Client): Promise<void> {
        const { world } = await client.ask({ case: "watchMatch", value: { name: this.name } }, "match");
        if (world === 0 || this.shown === client) return;
        this.shown = client;
        this.theatre ??= this.open();
        await this.theatre.follow(await client.world(world));
    }

    private open(): Theatre {
        const theatre = new Theatre(this.context.session, this.context.knowledge);
        theatre.camera.setView("all");
        new Pointer(theatre.canvas, theatre.stage, theatre.camera, {
            select: ({ entity }) => theatre.select(entity),
            ground: () => theatre.select(undefined),
            aim: () => {},
            push: () => toast("The characters of a match cannot be pushed"),
        });
        this.arena.hidden = false;
        this.arena.replaceChildren(theatre.element);
        return theatre;
    }

    private showHead(info: MatchInfo): void {
        const cancel = () => void attempt(() => this.context.session.client!.tell({ case: "cancelMatch", value: { name: this.name } })).then(() => this.show());
        const running = info.state === MatchState.RUNNING;
        fill(this.head,
            h("p", {}, `${info.teams.join(" against ")}: ${info.rule}, seed ${info.seed}. ${info.boutsDone} of ${info.bouts} bouts, ${stateWords(info)}${info.reason ? `: ${info.reason}` : ""}.`),
            !running && info.mode !== MatchMode.HEADLESS && info.boutsDone > 0 && h("div", { class: "row" }, this.again()),
            running && progressBar(info),
            running && h("div", { class: "row" },
                isHosted(info) && h("a", { class: "button", href: `#/world/${encodeURIComponent(info.name)}` }, "Go to its world"),
                h("button", { onclick: cancel }, "Cancel")));
    }

    /** A bout may be over before its page is there: it is seen in the recording that repeats it. */
    private again(): HTMLElement {
        const button: HTMLButtonElement = h("button", { class: "primary", onclick: () => void this.replay(0, button) }, "Watch it");
        return button;
    }

    private showBody(detail: MatchDetail): void {
        const fought = detail.info!.boutsDone > 0;
        const bouts = h("section", {}, h("h2", {}, "Bouts"));
        if (fought) this.addBouts(bouts, detail);
        fill(this.body, fought && h("section", {}, h("h2", {}, "Teams"),
            table([["team", ""], ["wins", "number"], ["share", "number"], ["95 % interval", ""], ["score", "number"]], detail.teams.map(teamRow)),
            h("p", { class: "quiet" }, `${detail.draws} drawn, ${detail.voids} void. Results hash ${detail.resultsHash.toString(16).padStart(16, "0")}.`)),
            fought && bouts);
    }

    private addBouts(section: HTMLElement, detail: MatchDetail): void {
        section.append(table([["bout", "number"], ["winner", ""], ["score", "number"], ["time", "number"], ["why", "spare"], ["state hash", "spare"], ["replay", BUTTONS]], detail.bouts.map((bout) => this.boutRow(bout, detail))));
        if (detail.nextPageToken === "") return;
        const more = h("button", { onclick: () => void attempt(async () => {
            const next = await this.detail(this.context.session.client!, detail.nextPageToken);
            more.remove();
            this.addBouts(section, next);
        }) }, "More bouts");
        section.append(more);
    }

    private boutRow(bout: Bout, detail: MatchDetail): HTMLElement {
        const outcome = bout.outcome === BoutOutcome.WON ? (detail.info?.teams[bout.winner] ?? "") : (OUTCOMES[bout.outcome] ?? "");
        const seconds = Number(bout.ticks) * (detail.match?.stepS || 0.005);
        const replay = h("button", { class: "small", onclick: () => void this.replay(bout.position, replay), "aria-label": `Replay bout ${bout.position + 1}` }, "Replay");
        return h("tr", {}, h("td", { class: "number quiet" }, bout.position + 1), h("td", {}, outcome),
            h("td", { class: "number" }, scoreWords(bout.score)),
            h("td", { class: "number" }, `${seconds.toFixed(2)} s`), h("td", { class: "quiet spare" }, bout.reason), h("td", { class: "spare" }, h("code", {}, bout.hash.toString(16).padStart(16, "0"))), h("td", {}, replay));
    }

    /** Fought again as a recording, unless it is one already. */
    private async replay(position: number, button: HTMLButtonElement): Promise<void> {
        const recording = recordingName(`${this.name}-bout-${position + 1}`);
        button.disabled = true;
        const done = await attempt(() => this.context.session.client!.ask({ case: "recordBout", value: { match: this.name, position, recording } }, "recording").catch((error) => {
            if (!(error instanceof StatusError && error.code === StatusCode.ALREADY_EXISTS)) throw error;
        }));
        button.disabled = false;
        if (done) location.hash = recordingAddress(recording);
    }
}
