/* The matches there are. */
import { MatchState, type MatchInfo } from "troupe-client";
import { fill, h, setText } from "../ui/element.js";
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

/** Of one bout nobody knows how far it is: the bar then only says that it goes on. */
export function progressBar({ bouts, boutsDone }: MatchInfo): HTMLElement {
    return h("progress", { value: bouts > 1 ? boutsDone : undefined, max: Math.max(1, bouts), "aria-label": "Bouts done" });
}

function card(match: MatchInfo): HTMLElement {
    return h("a", { class: "card", href: `#/matches/${encodeURIComponent(match.name)}` },
        h("h2", {}, match.name),
        h("p", {}, match.teams.join(" against ")),
        h("p", { class: "quiet" }, `${match.rule} · ${match.boutsDone} of ${match.bouts} bouts · ${stateWords(match)}`),
        match.state === MatchState.RUNNING && progressBar(match));
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
        setText(this.intro, list.matches.length === 0 ? "No match was fought yet. Begin one with: troupe match run FILE" : "Newest first.");
        fill(this.list, list.matches.reverse().map(card));
    }
}
