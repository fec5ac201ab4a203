/* A form that starts a match: a rule, teams, and whether to watch one bout or to fight many. */
import { MatchMode, type ControllerSummary, type Request } from "troupe-client";
import { sectionsOf } from "../state/choice.js";
import { RULES, type Rule } from "../state/rules.js";
import { fill, h, setText } from "./element.js";

export type StartMatch = Extract<Request, { case: "startMatch" }>["value"];

const TEAM_NAMES = ["red", "blue", "green", "yellow"];
const TEAMS_MIN = 2;
const MEMBERS_MAX = 4;
const BOUTS = [10, 100, 1000];
const SEED_MAX = 2 ** 32;

interface TeamRow {
    root: HTMLElement;
    controller: HTMLSelectElement;
    count: HTMLSelectElement;
}

export class MatchForm {
    readonly element: HTMLElement;
    private readonly rule = h("select", { "aria-label": "Rule", onchange: () => this.showRule() }, RULES.map(({ name, title }) => h("option", { value: name }, title)));
    private readonly text = h("p", { class: "quiet" });
    private readonly teams = h("div", { class: "teams" });
    private readonly parameters = h("div", { class: "parameters" });
    private readonly bouts = h("select", { "aria-label": "Bouts" }, h("option", { value: 0 }, "Watch one bout"), BOUTS.map((count) => h("option", { value: count }, `Fight ${count} bouts at once`)));
    private readonly more = h("button", { type: "button", class: "plain", disabled: true, onclick: () => this.addTeam() }, "Add a team");
    private readonly go = h("button", { class: "primary", type: "submit", disabled: true }, "Start the match");
    private readonly rows: TeamRow[] = [];
    private controllers: readonly ControllerSummary[] = [];

    /** start: is given the match, with a name that may be taken. */
    constructor(private readonly start: (match: StartMatch) => void) {
        this.element = h("form", { class: "match-form", onsubmit: (event: Event) => this.submit(event) },
            h("div", { class: "row" }, this.rule, this.bouts), this.text, this.teams, this.more, this.parameters, this.go);
        this.showRule();
    }

    /** Before them there is nothing to choose a team from, so that no team is added, and no match begins. */
    setControllers(controllers: readonly ControllerSummary[]): void {
        if (this.controllers.length > 0 || controllers.length === 0) return;
        this.controllers = sectionsOf(controllers).flatMap((section) => section.controllers);
        while (this.rows.length < TEAMS_MIN) this.addTeam();
        this.more.disabled = this.go.disabled = false;
    }

    private get chosen(): Rule {
        return RULES.find(({ name }) => name === this.rule.value)!;
    }

    private showRule(): void {
        const { text, parameters } = this.chosen;
        setText(this.text, text);
        fill(this.parameters, parameters.map(({ name, text, value, step }) =>
            h("label", {}, text, h("input", { type: "number", name, value, step, required: true }))));
        this.rows.forEach((row, team) => this.suggest(row, team));
    }

    /** What suits the rule, where the catalogue has it. */
    private suggest({ controller }: TeamRow, team: number): void {
        const suits = this.chosen.controllers[team];
        if (this.controllers.some(({ name }) => name === suits)) controller.value = suits!;
    }

    private addTeam(): void {
        const name = TEAM_NAMES[this.rows.length]!;
        const controller = h("select", { "aria-label": `Controller of ${name}` }, this.controllers.map((each) => h("option", { value: each.name }, each.name)));
        const count = h("select", { "aria-label": `Characters of ${name}` }, Array.from({ length: MEMBERS_MAX }, (_, i) => h("option", { value: i + 1 }, `× ${i + 1}`)));
        const root = h("div", { class: "row" }, h("span", { class: "team-name" }, name), controller, count);
        const row = { root, controller, count };
        this.suggest(row, this.rows.length);
        this.rows.push(row);
        this.teams.append(root);
        this.more.hidden = this.rows.length >= TEAM_NAMES.length;
    }

    private submit(event: Event): void {
        event.preventDefault();
        const { name, start, timeLimitS } = this.chosen;
        const bouts = Number(this.bouts.value);
        const teams = this.rows.map(({ controller, count }, team) => ({
            name: TEAM_NAMES[team]!,
            members: Array.from({ length: Number(count.value) }, (_, member) => {
                const { x, y, headingRad } = start(team, this.rows.length, member, Number(count.value));
                return { controller: controller.value, pos: { x, y, z: 0 }, headingRad };
            }),
        }));
        const fields = [...this.parameters.querySelectorAll("input")];
        const parameters = fields.map((field) => ({ name: field.name, value: Number(field.value) }));
        const seed = BigInt(Math.floor(Math.random() * SEED_MAX));
        const mode = bouts === 0 ? MatchMode.REAL_TIME : MatchMode.HEADLESS;
        this.start({ match: { name, rule: name, teams, parameters, seed, timeLimitS, bouts: Math.max(1, bouts), mode } });
    }
}
