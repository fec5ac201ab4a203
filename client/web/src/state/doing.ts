/* What a character is doing, in words: its controller, in a control graph the skill, and the fragment in progress. */
import type { CharacterState, ControllerDetail } from "troupe-client";

/** Where in its controller a character is. */
export interface Place {
    /** Empty: the controller has one skill. */
    skill: string;
    /** From 1, of `count`. */
    number: number;
    count: number;
    /** A skill that begins lying: a chain to which no way of the graph leads. */
    rises: boolean;
}

export function placeIn({ skills, edges }: ControllerDetail, fragment: number): Place | undefined {
    const within = (at: number) => skills.findIndex(({ firstFragment, fragmentCount }) => at >= firstFragment && at < firstFragment + fragmentCount);
    const index = within(fragment);
    const skill = skills[index];
    if (skill === undefined) return undefined;
    const several = skills.length > 1;
    const rises = several && !skill.cyclic && !edges.some((edge) => within(edge.toFragment) === index);
    return { skill: several ? skill.name : "", number: fragment - skill.firstFragment + 1, count: skill.fragmentCount, rises };
}

const GETTING_UP = "getting up";

/** Undefined: it does what its controller wants. */
function mishap(state: CharacterState, place: Place | undefined): string | undefined {
    if (state.frozen) return "frozen";
    if (state.fallen) return place?.rises ? GETTING_UP : "fallen";
    return state.limp ? "limp" : undefined;
}

/** In a word or two. */
export function doingBriefly(state: CharacterState, place: Place | undefined): string {
    return mishap(state, place) ?? (place?.skill || state.controller || "stands");
}

/** " → punch in 0.8 s by walk-slow"; empty: no other skill was asked for. */
export function wayInWords({ way, skillInS }: CharacterState): string {
    const goal = way.at(-1);
    if (goal === undefined) return "";
    const between = way.slice(0, -1).join(", ");
    return ` → ${goal} in ${skillInS.toFixed(1)} s${between && ` by ${between}`}`;
}

/** With the fragment in progress, and the controller unless the character is named after it. */
export function doing(state: CharacterState, place: Place | undefined): string {
    const mishapWord = mishap(state, place);
    if (mishapWord !== undefined && mishapWord !== GETTING_UP) return mishapWord;
    const skill = place?.skill ? `${state.label === state.controller ? "" : `${state.controller}: `}${place.skill}` : state.controller || "stands";
    const count = place && place.count > 1 ? ` ${place.number}/${place.count}` : "";
    const next = state.nextController && state.nextController !== state.controller ? ` → ${state.nextController}` : "";
    return `${mishapWord ?? skill}${count}${state.ended ? ", ended" : ""}${next}${wayInWords(state)}`;
}
