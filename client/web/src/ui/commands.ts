/* What can be asked of the selected character: a skill, a push, a ball; behind a menu what seldom ends well. */
import type { CharacterState, ControllerDetail, ControllerSummary } from "troupe-client";
import { reachOf, type Reach } from "../state/reach.js";
import { goalsOf, positionIn, routeBetween, skillGraphOf, type SkillGraph } from "../state/skill_graph.js";
import { askController } from "./dialog.js";
import { fill, h, setText } from "./element.js";
import { icon } from "./icon.js";

export interface CommandActions {
    /** To a skill of its control graph; empty: any. */
    steerTo: (entity: number, skill: string) => void;
    /** m/s; 0: its own. */
    speed: (entity: number, speed: number) => void;
    push: () => void;
    throwBall: () => void;
    replace: (entity: number, controller: string) => void;
    limp: (entity: number, limp: boolean) => void;
    remove: (entity: number) => void;
}

const KEYS_MAX = 9; // skills that have a key
const SPEED_STEPS = 50; // of the slider

export class Commands {
    readonly element: HTMLElement;
    private readonly skills = h("div", { class: "skills", role: "group", "aria-label": "Skills" });
    private readonly hint = h("p", { class: "hint" });
    private readonly speed = h("input", { type: "range", "aria-label": "Speed", onchange: () => this.setSpeed(this.speed.valueAsNumber) });
    private readonly speedText = h("output", {});
    private readonly speedRow = h("div", { class: "speed", hidden: true }, h("label", {}, "Speed", this.speed, this.speedText), h("button", { class: "plain", title: "The speed of its own", onclick: () => this.showSpeed(0, true) }, "Own"));
    private readonly forces: HTMLElement[];
    private readonly going = h("p", { class: "going", role: "status" });
    private readonly limpButton = h("button", { class: "plain", onclick: () => this.withState(({ entity, limp }) => this.actions.limp(entity, !limp)) });
    private readonly menu: HTMLDetailsElement;
    private graph: SkillGraph | undefined;
    private state: CharacterState | undefined;
    private controllers: readonly ControllerSummary[] = [];

    constructor(private readonly actions: CommandActions) {
        const replace = h("button", { class: "plain", onclick: () => this.askReplacement() }, "Replace controller…");
        const remove = h("button", { class: "plain", onclick: () => this.withState(({ entity }) => actions.remove(entity)) }, "Remove");
        const items = h("div", { class: "items", onclick: () => (this.menu.open = false) }, this.limpButton, replace, remove);
        this.menu = h("details", { class: "menu" }, h("summary", { class: "button icon", title: "More", "aria-label": "More" }, icon("more")), items);
        const push = h("button", { title: "Push away from the camera (I; J, K, L push to the other sides)", onclick: () => actions.push() }, "Push");
        const ball = h("button", { title: "Throw a ball at it (B)", onclick: () => actions.throwBall() }, "Throw ball");
        this.forces = [push, ball];
        this.speed.addEventListener("input", () => setText(this.speedText, `${this.speed.valueAsNumber.toFixed(2)} m/s`));
        this.element = h("div", { class: "commands" }, this.skills, this.going, this.hint, this.speedRow, h("div", { class: "row" }, push, ball, this.menu));
    }

    setControllers(controllers: readonly ControllerSummary[]): void {
        this.controllers = controllers;
    }

    /** What drives the selected character. */
    setDriver(detail: ControllerDetail | undefined): void {
        this.graph = detail && skillGraphOf(detail);
        const goals = this.graph && this.graph.nodes.length > 1 ? goalsOf(this.graph) : [];
        const chip = (name: string, i: number) => {
            const key = i < KEYS_MAX ? ` (${i + 1})` : "";
            const button = h("button", { class: "chip", title: `Go to ${name} and stay in it${key}`, onclick: () => this.steerTo(name) }, name);
            button.dataset.name = name;
            return button;
        };
        const any = h("button", { class: "chip any", title: "No skill in particular", onclick: () => this.steerTo("") }, "any");
        any.dataset.name = "";
        fill(this.skills, goals.map(chip), goals.length > 0 && any);
        this.skills.hidden = goals.length === 0;
        this.offer(reachOf(detail));
    }

    /** Only what works for it. */
    private offer({ slowest, fastest, pushable }: Reach): void {
        for (const button of this.forces) button.hidden = !pushable;
        this.speedRow.hidden = fastest === 0;
        this.speed.min = String(slowest);
        this.speed.max = String(fastest);
        this.speed.step = String((fastest - slowest) / SPEED_STEPS);
        this.showSpeed(0);
    }

    /** Another character is selected: what was asked of the one before is not asked of it. */
    showSpeed(speed: number, asked = false): void {
        this.speed.valueAsNumber = speed > 0 ? speed : (Number(this.speed.min) + Number(this.speed.max)) / 2;
        setText(this.speedText, speed > 0 ? `${speed.toFixed(2)} m/s` : "its own");
        if (asked) this.withState(({ entity }) => this.actions.speed(entity, speed));
    }

    private setSpeed(speed: number): void {
        this.showSpeed(speed, true);
    }

    /** How to steer, or why it was refused. */
    setHint(text: string): void {
        setText(this.hint, text);
    }

    /** requested: the skill that this page asked for; empty: none. */
    update(state: CharacterState, requested: string): void {
        this.state = state;
        setText(this.limpButton, state.limp ? "Servos on again" : "Go limp");
        const at = this.graph && positionIn(this.graph, state.fragment);
        const now = at && this.graph!.nodes[at.node ?? -1]?.name;
        for (const chip of this.skills.children as Iterable<HTMLElement> & HTMLCollection) {
            const { name } = (chip as HTMLElement).dataset;
            chip.ariaPressed = String(name === requested);
            chip.classList.toggle("now", name === now && name !== "");
        }
        setText(this.going, requested === "" || requested === now || this.graph === undefined ? "" : this.wayTo(requested, state));
        this.going.hidden = this.going.textContent === "";
    }

    /** The index-th skill. */
    steerToIndex(index: number): void {
        const chip = this.skills.children[index] as HTMLElement | undefined;
        if (chip?.dataset.name) this.steerTo(chip.dataset.name);
    }

    private steerTo(skill: string): void {
        this.withState(({ entity }) => this.actions.steerTo(entity, skill));
    }

    private wayTo(skill: string, { fragment, fallen }: CharacterState): string {
        const { nodes, ways } = this.graph!;
        if (fallen) return `${skill}: once it stands again`;
        const at = positionIn(this.graph!, fragment);
        const from = at?.node ?? (at?.way === undefined ? -1 : ways[at.way]!.to);
        const route = routeBetween(this.graph!, from, nodes.findIndex(({ name }) => name === skill));
        const between = route.slice(at?.node === undefined ? 0 : 1, -1);
        return `On its way to ${skill}${between.length > 0 ? ` by ${between.join(", ")}` : ""}`;
    }

    private askReplacement(): void {
        this.withState(({ entity, model, controller }) => {
            const fitting = this.controllers.filter((each) => each.model === model && each.name !== controller);
            askController(fitting, (name) => this.actions.replace(entity, name));
        });
    }

    private withState(act: (state: CharacterState) => void): void {
        if (this.state) act(this.state);
    }
}
