/* What happened, newest last; a few lines over the picture. */
import { EventKind, type Event } from "troupe-client";
import { h } from "./element.js";

const SHOWN_MS = 7000;
const LINES_MAX = 5;
const TICKS_WORTH_TELLING = 40;

export type NameOf = (entity: number) => string;

/** One line of text; undefined: not worth telling. */
export function describe(event: Event, name: NameOf): string | undefined {
    const who = name(event.entity);
    switch (event.kind) {
        case EventKind.FELL:
            return `${who} fell`;
        case EventKind.ROSE:
            return `${who} rose`;
        case EventKind.CONTROLLER_BEGAN:
            return `${who}: ${event.text}`;
        case EventKind.CONTROLLER_ENDED:
            return `${who} finished ${event.text}`;
        case EventKind.FAULT:
            return `${who} left the numbers${event.text ? `: ${event.text}` : ""}`;
        case EventKind.RESET:
            return "Back to the mark";
        case EventKind.RESTORED:
            return "A snapshot was restored";
        case EventKind.PAUSED:
            return "Paused";
        case EventKind.RESUMED:
            return "Going on";
        case EventKind.LATE:
            return event.magnitude >= TICKS_WORTH_TELLING ? `The daemon gave up ${event.magnitude} ticks: too slow` : undefined;
        case EventKind.DROPPED:
            return `${event.magnitude} events were lost on the way here`;
        case EventKind.RECORDING_ENDED:
            return `The recording ended: ${event.text}`;
        case EventKind.DIVERGED:
            return `Differs from the recording: ${event.text}`;
        case EventKind.DESTROYED:
            return "The world is gone";
        default:
            return undefined;
    }
}

export class Feed {
    readonly element = h("ol", { class: "feed", role: "log", "aria-live": "polite", "aria-label": "Events" });

    add(event: Event, name: NameOf): void {
        if (event.kind === EventKind.SOUGHT) this.element.replaceChildren(); // what was told is of another time
        const text = describe(event, name);
        if (text === undefined) return;
        const line = h("li", { class: event.kind === EventKind.FELL ? "fell" : "" }, text);
        this.element.append(line);
        while (this.element.childElementCount > LINES_MAX) this.element.firstElementChild!.remove();
        setTimeout(() => line.remove(), SHOWN_MS);
    }
}
