/* How what drives a character is drawn: one row a kind of driver, the first that fits. A new kind is a file beside this one, and a row
 * here. */
import type { CharacterState, ControllerDetail } from "troupe-client";
import { chain } from "./chain.js";
import { gait } from "./gait.js";
import { graph } from "./graph.js";
import { plain } from "./plain.js";
import { puppet } from "./puppet.js";
import { scheduler } from "./scheduler.js";

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

const KINDS: readonly DriverKind[] = [scheduler, gait, puppet, graph, chain, plain];

export function kindOf(detail: ControllerDetail): DriverKind {
    return KINDS.find((each) => each.draws(detail)) ?? plain;
}
