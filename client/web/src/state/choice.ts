/* Which controllers to offer, in the order of the catalogue's guide. */
import type { ControllerSummary } from "troupe-client";

/** Sections of the guide, and their titles; a controller outside the guide was learned here. */
const SECTIONS: readonly (readonly [string, string])[] = [
    ["characters", "Characters"],
    ["", "Learned here"],
    ["skills", "Skills"],
    ["tasks", "Tasks on objects"],
    ["puppets", "Puppets"],
    ["examples", "Examples of methods"],
    ["gallery", "Gallery"],
];

export interface Section {
    title: string;
    controllers: ControllerSummary[];
}

/** What the catalogue calls the skill of controllers that are control graphs. */
export function isGraph({ skill }: ControllerSummary): boolean {
    return skill === "graph";
}

/** The sections that have controllers. One that this page does not know comes last, under its own name. */
export function sectionsOf(all: readonly ControllerSummary[]): Section[] {
    const known = new Set(SECTIONS.map(([name]) => name));
    const others = [...new Set(all.map(({ section }) => section))].filter((name) => !known.has(name)).sort();
    return [...SECTIONS, ...others.map((name) => [name, name] as const)]
        .map(([name, title]) => ({ title, controllers: all.filter(({ section }) => section === name) }))
        .filter(({ controllers }) => controllers.length > 0);
}

/** With which a newcomer begins; undefined: the catalogue is empty. */
export function firstController(all: readonly ControllerSummary[]): ControllerSummary | undefined {
    return sectionsOf(all)[0]?.controllers[0];
}
