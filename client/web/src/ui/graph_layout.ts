/* Where the fragments of a controller stand, and the ways between them. A control graph has its cycles on the left, one below the
 * other, and on the right the transitions between them, each near the two that it joins; what is neither (a rising skill) stands
 * above both. Other controllers are one row. */
import type { ControllerDetail, Skill, SkillEdge } from "troupe-client";

const MARGIN = 12;
const GAP = 46; // between the columns: room for ways
const SPACING_MAX = 26;
const RADIUS_MAX = 5.5;
const LABEL = 22; // above a row
const HOME_ROW = 52;
const TRANSITION_ROW = 42;
const HEAD = 3; // what an arrow's head needs before a dot

export interface Place {
    x: number;
    y: number;
    radius: number;
}

export interface Layout {
    /** Of every fragment, by its index. */
    places: Place[];
    ways: string[];
    height: number;
}

interface Columns {
    above: Skill[];
    homes: Skill[];
    transitions: Skill[];
}

function has({ firstFragment, fragmentCount }: Skill, fragment: number): boolean {
    return fragment >= firstFragment && fragment < firstFragment + fragmentCount;
}

/** The middle between the rows of the homes that a transition joins; undefined: it joins none. */
function rankOf(skill: Skill, homes: Skill[], edges: SkillEdge[]): number | undefined {
    const row = (fragment: number | undefined) => homes.findIndex((home) => fragment !== undefined && has(home, fragment));
    const from = row(edges.find((edge) => has(skill, edge.toFragment))?.fromFragment);
    const to = row(edges.find((edge) => has(skill, edge.fromFragment))?.toFragment);
    return from < 0 || to < 0 ? undefined : (from + to) / 2;
}

function columnsOf({ skills, edges }: ControllerDetail): Columns {
    const homes = skills.filter((skill) => skill.cyclic);
    const ranked = skills.filter((skill) => !skill.cyclic).map((skill) => ({ skill, rank: rankOf(skill, homes, edges) }));
    const transitions = ranked.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank! - b.rank!);
    return { above: ranked.filter(({ rank }) => rank === undefined).map(({ skill }) => skill), homes, transitions: transitions.map(({ skill }) => skill) };
}

function longest(skills: Skill[]): number {
    return Math.max(0, ...skills.map((skill) => skill.fragmentCount));
}

export function layOut(detail: ControllerDetail, width: number): Layout {
    const { above, homes, transitions } = columnsOf(detail);
    const places: Place[] = [];
    const label = detail.skills.length > 1 ? LABEL : 0;
    const room = width - 2 * MARGIN;
    const put = (skill: Skill, x: number, y: number, spacing: number) => {
        for (let i = 0; i < skill.fragmentCount; i++) places[skill.firstFragment + i] = { x: x + i * spacing, y, radius: Math.min(RADIUS_MAX, spacing * 0.36) };
    };
    above.forEach((skill, i) => put(skill, MARGIN, MARGIN + label + i * HOME_ROW, Math.min(SPACING_MAX, room / skill.fragmentCount)));
    const top = above.length * HOME_ROW;
    const columns = longest(homes) + longest(transitions);
    const spacing = Math.min(SPACING_MAX, (room - (transitions.length > 0 ? GAP : 0)) / Math.max(1, columns));
    const right = MARGIN + longest(homes) * spacing + GAP;
    const tall = Math.max(homes.length * HOME_ROW, transitions.length * TRANSITION_ROW);
    const row = (i: number, count: number) => top + label + MARGIN + ((i + 0.5) * tall) / count - 0.5 * Math.min(HOME_ROW, tall / count);
    homes.forEach((skill, i) => put(skill, MARGIN, row(i, homes.length), spacing));
    transitions.forEach((skill, i) => put(skill, right, row(i, transitions.length), spacing));
    const ways = detail.edges.map((edge) => wayBetween(places, edge, transitions));
    return { places, ways, height: Math.max(...places.map((place) => place.y)) + MARGIN + (transitions.length > 0 ? MARGIN : 0) };
}

function wayBetween(places: Place[], { fromFragment, toFragment }: SkillEdge, transitions: Skill[]): string {
    const [from, to] = [places[fromFragment]!, places[toFragment]!];
    const leaving = transitions.find((skill) => has(skill, fromFragment));
    if (leaving) return wayBack(from, to, places[leaving.firstFragment]!);
    if (transitions.some((skill) => has(skill, toFragment))) return wayOver(from, to);
    return wayDown(from, to);
}

/** From a cycle to the right, into a transition's first dot. */
function wayOver(from: Place, to: Place): string {
    const down = Math.sign(to.y - from.y) || 1;
    const reach = to.x - to.radius - HEAD;
    const dip = down * Math.max(from.radius + 16, Math.abs(to.y - from.y) / 2 + 8); // below the others of its row
    return `M${from.x} ${from.y + down * from.radius}C${from.x} ${from.y + dip} ${reach - GAP / 2} ${to.y + (Math.abs(to.y - from.y) < 8 ? dip : 0)} ${reach} ${to.y}`;
}

/** From a transition's last dot, below the others of it, to the left and to a cycle's dot. */
function wayBack(from: Place, to: Place, first: Place): string {
    const below = from.y + from.radius + 6;
    const up = Math.sign(to.y - below) || 1; // the side of the dot it comes from
    const end = to.y - up * (to.radius + HEAD);
    const left = first.x - first.radius;
    return `M${from.x} ${from.y + from.radius}Q${from.x} ${below} ${from.x - 6} ${below}H${left}C${left - GAP} ${below} ${to.x} ${(below + end) / 2 - up * 8} ${to.x} ${end}`;
}

/** From below or above one dot to the other's near side. */
function wayDown(from: Place, to: Place): string {
    const down = Math.sign(to.y - from.y) || -1;
    const [y0, y1] = [from.y + down * from.radius, to.y - (to.y === from.y ? -down : down) * (to.radius + HEAD)];
    const bend = to.y === from.y ? -22 : (y1 - y0) / 2;
    return `M${from.x} ${y0}C${from.x} ${y0 + bend} ${to.x} ${y1 - (to.y === from.y ? -bend : bend)} ${to.x} ${y1}`;
}
