/* What happened, newest last; a few lines over the picture. */
import { EventKind, type Event } from "troupe-client";
import { h } from "./element.js";

const SHOWN_MS = 7000;
const LINES_MAX = 5;
const TICKS_WORTH_A_LINE = 40;

export type NameOf = (entity: number) => string;

function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** One line of text; undefined: not worth one. */
export function describe(event: Event, name: NameOf): string | undefined {
    const who = name(event.entity);
    switch (event.kind) {
        case EventKind.FELL:
            return `${who} fell`;
        case EventKind.ROSE:
            return `${who} got up`;
        case EventKind.ARRIVED:
            return `${who} arrived`;
        case EventKind.BLOCKED:
            return `${who} stopped before a wall or an edge`;
        case EventKind.HOLD_BROKEN:
            return `${who} lost hold of ${name(event.other)}`;
        case EventKind.SCORED:
            return `${event.text}: ${event.magnitude}`;
        case EventKind.CONTROLLER_BEGAN:
            return `${who}: ${event.text}`;
        case EventKind.CONTROLLER_ENDED:
            return `${who} finished ${event.text}`;
        case EventKind.FAULT:
            if (event.entity === 0) return `This world failed: ${event.text}`;
            return `${who} broke the simulation${event.text ? `: ${event.text}` : ""}`;
        case EventKind.RESET:
            return "Restarted";
        case EventKind.RESTORED:
            return "A snapshot was restored";
        case EventKind.PAUSED:
            return "Paused";
        case EventKind.RESUMED:
            return "Resumed";
        case EventKind.LATE:
            return event.magnitude >= TICKS_WORTH_A_LINE ? `The server was too slow and dropped ${count(event.magnitude, "step")}` : undefined;
        case EventKind.DROPPED:
            return `The connection is slow: ${count(event.magnitude, "event")} lost`;
        case EventKind.RECORDING_ENDED:
            return `The recording ended: ${event.text}`;
        case EventKind.DIVERGED:
            return `Differs from the recording: ${event.text}`;
        case EventKind.DESTROYED:
            return "This world is gone";
        default:
            return undefined;
    }
}

export class Feed {
    private readonly lines = h("ol", { class: "feed" });
    readonly element = h("div", { role: "log", "aria-live": "polite", "aria-label": "Events" }, this.lines);

    add(event: Event, name: NameOf): void {
        if (event.kind === EventKind.SOUGHT) this.lines.replaceChildren(); // the lines are of another time
        const text = describe(event, name);
        if (text === undefined) return;
        const line = h("li", { class: event.kind === EventKind.FELL ? "fell" : "" }, text);
        this.lines.append(line);
        while (this.lines.childElementCount > LINES_MAX) this.lines.firstElementChild!.remove();
        setTimeout(() => line.remove(), SHOWN_MS);
    }
}
