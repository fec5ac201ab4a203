/* What may be asked of a character, by what the catalogue says of its controller: which controls work, and words for them. */
import type { ControllerDetail } from "troupe-client";

export interface Reach {
    /** It turns to a heading; it goes to a point. */
    heading: boolean;
    place: boolean;
    /** Speeds that it can be asked for, m/s; fastest 0: its speed is its own. */
    slowest: number;
    fastest: number;
    /** Forces move it: a puppet they do not. */
    pushable: boolean;
    /** It has skills to choose from. */
    skills: boolean;
}

export const NOTHING: Reach = { heading: false, place: false, slowest: 0, fastest: 0, pushable: true, skills: false };

/** An older daemon does not say: everything is offered. */
export function reachOf(detail: ControllerDetail | undefined): Reach {
    if (detail === undefined) return NOTHING;
    const { reach } = detail;
    const skills = detail.skills.filter(({ onRequest }) => onRequest).length > 1;
    if (reach === undefined) return { heading: true, place: true, slowest: 0, fastest: 0, pushable: true, skills };
    return { heading: reach.heading, place: reach.place, slowest: reach.slowestMS, fastest: reach.fastestMS, pushable: !reach.kinematic, skills };
}

/** How the character is steered, in a sentence or two. */
export function steeringWords({ heading, place, fastest, pushable, skills }: Reach): string {
    const how = heading && place ? "Arrow keys, a stick, or a tap on the ground steer it."
        : heading ? "Arrow keys or a stick turn it."
        : skills ? "Its buttons choose what it does; it takes no heading."
        : fastest > 0 ? "Only its speed can be chosen."
        : "It cannot be steered.";
    return pushable ? how : `${how} Poses move it, so pushes and balls do not.`;
}
