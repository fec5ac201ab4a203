/* The list of matches, and a form that starts one. */
import { MatchState, type MatchInfo } from "troupe-client";
import { freeName } from "../state/names.js";
import { fill, h, setText } from "../ui/element.js";
import { MatchForm, type StartMatch } from "../ui/match_form.js";
import { attempt } from "../ui/toast.js";
import type { Context, Page } from "./page.js";

const EVERY_MS = 3000;
const STATES: Partial<Record<MatchState, string>> = {
    [MatchState.RUNNING]: "running",
    [MatchState.DONE]: "done",
    [MatchState.CANCELLED]: "cancelled",
    [MatchState.FAILED]: "failed",
};

export function stateWords(match: MatchInfo): string {
    return STATES[match.state] ?? "";
}

/** The progress within a bout is unknown: for one bout the bar only shows that it is being fought. */
export function progressBar({ bouts, boutsDone }: MatchInfo): HTMLElement {
    return h("progress", { value: bouts > 1 ? boutsDone : undefined, max: Math.max(1, bouts), "aria-label": "Bouts done" });
}

function matchAddress(name: string): string {
    return `#/matches/${encodeURIComponent(name)}`;
}

function card(match: MatchInfo): HTMLElement {
    return h("a", { class: "card", href: matchAddress(match.name) },
        h("h2", {}, match.name),
        h("p", {}, match.teams.join(" against ")),
        h("p", { class: "quiet" }, `${match.rule.replaceAll("_", " ")} · ${match.boutsDone} of ${match.bouts} bouts · ${stateWords(match)}`),
        match.state === MatchState.RUNNING && progressBar(match));
}

export class MatchesPage implements Page {
    readonly title = "Matches";
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "cards" });
    private readonly intro = h("p", { class: "lead" });
    private readonly form = new MatchForm((match) => void this.start(match));
    private readonly starting = h("section", { hidden: true }, h("h2", {}, "Start a match"), this.form.element);
    private readonly timer: ReturnType<typeof setInterval>;

    constructor(private readonly context: Context) {
        this.element = h("main", { class: "page" }, h("h1", {}, "Matches"), this.intro, this.list, this.starting);
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
        const { session, knowledge } = this.context;
        const list = await session.client?.ask({ case: "listMatches", value: { page: { size: 256 } } }, "matchList");
        if (list === undefined) return;
        const none = list.matches.length === 0;
        setText(this.intro, none ? `No match yet. In a match, teams of characters compete by a rule. ${session.directs ? "Start one below." : "Directors can start one."}` : "Newest first.");
        fill(this.list, list.matches.reverse().map(card));
        this.starting.hidden = !session.directs;
        if (session.directs) this.form.setControllers(await knowledge.controllers());
    }

    private async start({ match }: StartMatch): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        const taken = await client.ask({ case: "listMatches", value: { page: { size: 256 } } }, "matchList").then(({ matches }) => matches.map(({ name }) => name), () => []);
        const name = freeName(match!.name!.replaceAll("_", "-"), taken);
        if (await attempt(() => client.ask({ case: "startMatch", value: { match: { ...match, name } } }, "match"))) location.hash = matchAddress(name);
    }
}
