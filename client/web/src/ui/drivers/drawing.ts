/* How what drives a character is drawn: by what the catalogue describes (a map, skills and edges, fragments), never by the name of its
 * kind, and below that by what its states report (a force, choices). A new kind that describes itself in these words is drawn as it is;
 * one that has more to show needs a file beside this one, and a row here. */
import type { CharacterState, ControllerDetail } from "troupe-client";
import { h } from "../element.js";
import { chain } from "./chain.js";
import { choices } from "./choices.js";
import { force } from "./force.js";
import { graph } from "./graph.js";
import { map } from "./map.js";
import { plain } from "./plain.js";

export interface DriverDrawing {
    element: HTMLElement;
    /** Shows what a character is doing now; undefined: nothing. */
    show: (state: CharacterState | undefined) => void;
}

/** Sets parameters of the character shown; no values: back to the initial ones. */
export type SetValues = (values: Record<string, number[]>) => void;

export interface DriverKind {
    /** In words: what the drawing is headed with. */
    title: string;
    draws: (detail: ControllerDetail) => boolean;
    /** Closed at first beside a picture: it needs much room. */
    folded: boolean;
    /** width: in pixels, at which its text has the size of the page's. set: where a character is shown that can be commanded. */
    draw: (detail: ControllerDetail, width: number, set?: SetValues) => DriverDrawing;
}

const KINDS: readonly DriverKind[] = [map, graph, chain, plain];

/** Shown while states have what they show. */
const READINGS: readonly ((detail: ControllerDetail) => DriverDrawing)[] = [force, choices];

/** The first that fits. */
export function kindOf(detail: ControllerDetail): DriverKind {
    return KINDS.find((each) => each.draws(detail)) ?? plain;
}

/** As DriverKind.draw, with the readings below it. */
export function drawDriver(detail: ControllerDetail, width: number, set?: SetValues): DriverDrawing {
    const parts = [kindOf(detail).draw(detail, width, set), ...READINGS.map((read) => read(detail))];
    return { element: h("div", {}, parts.map(({ element }) => element)), show: (state) => parts.forEach(({ show }) => show(state)) };
}
