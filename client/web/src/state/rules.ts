/* The rules of matches, in words, with their parameters and where their teams begin. The daemon has the rules themselves. */

export interface RuleParameter {
    name: string;
    text: string;
    value: number;
    step: number;
}

/** Where a member begins, m and rad. */
export interface Start {
    x: number;
    y: number;
    headingRad: number;
}

export interface Rule {
    name: string;
    title: string;
    text: string;
    parameters: readonly RuleParameter[];
    timeLimitS: number;
    /** Controllers that make it worth watching, by team. */
    controllers: readonly string[];
    /** Of one of `count` members of one of `teams` teams. */
    start: (team: number, teams: number, member: number, count: number) => Start;
}

const ABREAST_M = 1.2;

/** On a circle, facing its middle; members of a team side by side. */
function aroundMiddle(radius: number): Rule["start"] {
    return (team, teams, member, count) => {
        const angle = Math.PI + (2 * Math.PI * team) / teams;
        const aside = (member - (count - 1) / 2) * ABREAST_M;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        return { x: radius * c - aside * s, y: radius * s + aside * c, headingRad: Math.atan2(-s, -c) };
    };
}

/** In a row, all facing along x. */
function inARow(apart: number): Rule["start"] {
    return (team, teams, member) => ({ x: -ABREAST_M * member, y: (team - (teams - 1) / 2) * apart, headingRad: 0 });
}

/** Side by side behind the box's west face, and in front of its east face. */
function behindBox(team: number, _teams: number, member: number, count: number): Start {
    const y = (member - (count - 1) / 2) * 0.9;
    return team === 0 ? { x: -1.5, y, headingRad: 0 } : { x: 60, y, headingRad: Math.PI };
}

/** Back to back, on both sides of the sled. */
function backToBack(team: number, _teams: number, member: number, count: number): Start {
    const side = team === 0 ? -1 : 1;
    return { x: 4 * side, y: (member - (count - 1) / 2) * 0.9, headingRad: team === 0 ? Math.PI : 0 };
}

/** Each team in rows on its half, the first member before its goal. */
function ownHalf(team: number, _teams: number, member: number): Start {
    const side = team === 0 ? -1 : 1;
    const [row, place] = [Math.ceil(member / 4), (member + 3) % 4];
    return { x: side * (14 - 4 * row), y: member === 0 ? 0 : (place - 1.5) * 4, headingRad: team === 0 ? 0 : Math.PI };
}

export const RULES: readonly Rule[] = [
    {
        name: "sumo", title: "Sumo", text: "A character that falls or leaves the ring is out. The last team in wins.", timeLimitS: 20, start: aroundMiddle(0.7),
        controllers: ["spin-kick", "kick", "hero", "run"],
        parameters: [{ name: "radius_m", text: "Radius of the ring, m", value: 3, step: 0.5 }],
    },
    {
        name: "collide", title: "Collide", text: "All run into each other. The team on its feet for longer wins.", timeLimitS: 10, start: aroundMiddle(3),
        controllers: ["run", "run", "walk", "walk"],
        parameters: [{ name: "settle_s", text: "Counted after the first touch, s", value: 3, step: 0.5 }],
    },
    {
        name: "race", title: "Race", text: "The first over the line wins. A character that falls is out.", timeLimitS: 60, start: inARow(1.5),
        controllers: ["run", "run-striding", "walk", "walk-fast"],
        parameters: [{ name: "distance_m", text: "Distance, m", value: 20, step: 5 }],
    },
    {
        name: "last_standing", title: "Last standing", text: "A character that stays down is out. The last team on its feet wins.", timeLimitS: 20, start: aroundMiddle(5),
        controllers: ["run", "walk", "hero", "run"],
        parameters: [{ name: "down_s", text: "Time to get up, s", value: 1, step: 0.5 }],
    },
    {
        name: "survive_pushes", title: "Survive pushes", text: "All get the same pushes, each stronger than the last. A character that falls is out.", timeLimitS: 60, start: inARow(4),
        controllers: ["hero", "run", "walk", "spin-kick"],
        parameters: [
            { name: "force_n", text: "First push, N", value: 100, step: 20 },
            { name: "growth_n", text: "Stronger each time by, N", value: 20, step: 10 },
        ],
    },
    {
        name: "chase", title: "Chase", text: "All are steered into each other. A fall counts for the other teams.", timeLimitS: 60, start: aroundMiddle(4),
        controllers: ["hero", "hero", "hero", "hero"],
        parameters: [{ name: "speed_mps", text: "Speed, m/s; 0: each its own", value: 1.3, step: 0.1 }],
    },
    {
        name: "push_box", title: "Push a box", text: "The first team pushes a box over a line; the second comes from far ahead, too late.", timeLimitS: 60, start: behindBox,
        controllers: ["gait-push", "gait-walk"],
        parameters: [
            { name: "line_m", text: "The line, m ahead", value: 15, step: 1 },
            { name: "mass_kg", text: "Mass of the box, kg", value: 100, step: 50 },
        ],
    },
    {
        name: "tug_of_war", title: "Tug of war", text: "Two teams walk away from each other, roped to a sled. The first that pulls it over its line wins.", timeLimitS: 60, start: backToBack,
        controllers: ["gait-walk", "gait-walk"],
        parameters: [
            { name: "line_m", text: "The lines, m from the middle", value: 3, step: 1 },
            { name: "most_n", text: "A rope pulls with at most, N", value: 120, step: 20 },
        ],
    },
    {
        name: "football", title: "Football", text: "A goal counts when the ball is behind the line. The most goals win.", timeLimitS: 300, start: ownHalf,
        controllers: ["hero", "hero"],
        parameters: [
            { name: "length_m", text: "Length of the field, m", value: 30, step: 5 },
            { name: "width_m", text: "Width, m", value: 20, step: 5 },
        ],
    },
];
