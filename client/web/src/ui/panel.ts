/* The cast: who is there, what the one selected does, and what can be asked of them. */
import type { CharacterState, ControllerDetail, ControllerSummary, Skill, WorldState } from "troupe-client";
import { castColor } from "../scene/palette.js";
import { doingBriefly, type Place } from "../state/doing.js";
import { fill, h, setText } from "./element.js";
import { controlGraph, type GraphDrawing } from "./graph.js";

const GRAPH_PX = 262;

export interface PanelWishes {
    select: (entity: number) => void;
    perform: (entity: number, controller: string) => void;
    /** To a skill of its control graph; empty: any. */
    goTo: (entity: number, skill: string) => void;
    limp: (entity: number, limp: boolean) => void;
    remove: (entity: number) => void;
    spawn: (controller: string, label: string) => void;
    throwBall: () => void;
    follow: (on: boolean) => void;
    controller: (name: string) => Promise<ControllerDetail>;
    place: (state: CharacterState) => Place | undefined;
    colorIndex: (entity: number) => number;
}

interface Row {
    root: HTMLButtonElement;
    name: HTMLElement;
    doing: HTMLElement;
}

export class Panel {
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "cast", role: "listbox", "aria-label": "Characters" });
    private readonly empty = h("p", { class: "quiet" }, "Nobody is here yet. Spawn a character below.");
    private readonly rows = new Map<number, Row>();
    private readonly title = h("h2", {});
    private readonly facts = h("p", { class: "facts" });
    private readonly skills = h("div", { class: "skills", role: "group", "aria-label": "Skills" });
    private readonly limpButton = h("button", { onclick: () => this.withSelected((s) => this.wishes.limp(s.entity, !s.limp)) }, "Go limp");
    private readonly followBox = h("input", { type: "checkbox", checked: true, onchange: () => this.wishes.follow(this.followBox.checked) });
    private readonly steering = h("p", { class: "steering" });
    private readonly one: HTMLElement;
    private readonly select = h("select", { "aria-label": "Controller" });
    private readonly label = h("input", { type: "text", maxlength: 47, placeholder: "name", "aria-label": "Name" });
    private readonly graphPlace = h("div", {});
    private graph: GraphDrawing | undefined;
    private state: CharacterState | undefined;
    private controllers: ControllerSummary[] = [];

    constructor(private readonly wishes: PanelWishes) {
        const remove = h("button", { class: "plain", onclick: () => this.withSelected((s) => wishes.remove(s.entity)) }, "Remove");
        const ball = h("button", { onclick: () => wishes.throwBall(), title: "Throw a ball at it (B)" }, "Throw ball");
        this.one = h("section", { class: "one", hidden: true },
            h("header", {}, this.title, h("label", { class: "follow" }, this.followBox, "Follow")),
            this.facts, this.graphPlace, this.skills, this.steering,
            h("div", { class: "row" }, ball, this.limpButton, remove));
        const spawn = h("form", { class: "spawn", onsubmit: (event: Event) => this.submit(event) },
            this.select, this.label, h("button", { class: "primary", type: "submit" }, "Spawn"));
        this.element = h("aside", { class: "panel", "aria-label": "Cast" },
            h("div", { class: "scroll" }, this.list, this.empty, this.one),
            spawn);
    }

    setControllers(controllers: ControllerSummary[]): void {
        this.controllers = controllers;
        fill(this.select, controllers.map((each) => h("option", { value: each.name }, each.name)));
        if (this.state) this.showSkills(this.state);
    }

    /** Text under the skills: how to steer, or why not. */
    setSteering(text: string): void {
        setText(this.steering, text);
    }

    update(world: WorldState, selected: number | undefined): void {
        this.empty.hidden = world.characters.length > 0;
        for (const state of world.characters) this.row(state, selected);
        if (this.rows.size > world.characters.length) this.prune(world);
        this.showOne(world.characters.find((state) => state.entity === selected));
    }

    private row(state: CharacterState, selected: number | undefined): void {
        const row = this.rows.get(state.entity) ?? this.addRow(state);
        setText(row.name, state.label || `#${state.entity & 0xffff}`);
        setText(row.doing, doingBriefly(state, this.wishes.place(state)));
        const on = state.entity === selected;
        if (row.root.ariaSelected !== String(on)) row.root.ariaSelected = String(on);
        row.root.classList.toggle("fallen", state.fallen);
    }

    private addRow(state: CharacterState): Row {
        const mark = h("i", {});
        mark.style.background = castColor(this.wishes.colorIndex(state.entity));
        const name = h("span", { class: "name" });
        const doing = h("span", { class: "doing" });
        const root = h("button", { role: "option", onclick: () => this.wishes.select(state.entity) }, mark, name, doing);
        const row = { root, name, doing };
        this.rows.set(state.entity, row);
        this.list.append(root);
        return row;
    }

    private prune(world: WorldState): void {
        const there = new Set(world.characters.map((state) => state.entity));
        for (const [entity, row] of this.rows)
            if (!there.has(entity)) {
                row.root.remove();
                this.rows.delete(entity);
            }
    }

    private showOne(state: CharacterState | undefined): void {
        if (state?.controller !== this.state?.controller) void this.showGraph(state?.controller ?? "");
        const other = state?.entity !== this.state?.entity || state?.model !== this.state?.model;
        this.state = state;
        this.one.hidden = state === undefined;
        if (state === undefined) return;
        setText(this.title, state.label || `#${state.entity & 0xffff}`);
        const [x = 0, y = 0] = state.rootPos;
        setText(this.facts, `${state.fragmentsDone} fragments done · at ${tenths(x)}, ${tenths(y)} m`);
        setText(this.limpButton, state.limp ? "Hold again" : "Go limp");
        this.graph?.light(state.fragment);
        if (other) this.showSkills(state);
        for (const button of this.skills.children)
            (button as HTMLElement).ariaPressed = String((button as HTMLElement).dataset.name === state.controller);
    }

    /** Skills of a control graph that it can be sent to. */
    private goals({ skills, edges }: ControllerDetail): HTMLElement {
        // Chains that go straight on are ways from skill to skill, nothing to stay in; to rising it comes by falling alone.
        const leadsTo = ({ firstFragment, fragmentCount }: Skill) => edges.some(({ toFragment }) => toFragment >= firstFragment && toFragment < firstFragment + fragmentCount);
        const wished = skills.filter((each) => each.cyclic || (each.turnRad !== 0 && leadsTo(each)));
        const chips = ["", ...wished.map((each) => each.name)].map((name) =>
            h("button", { class: "chip", "aria-pressed": String(name === ""), onclick: (event: Event) => {
                for (const chip of chips) chip.ariaPressed = String(chip === event.currentTarget);
                this.withSelected((state) => this.wishes.goTo(state.entity, name));
            } }, name || "any"));
        return h("div", { class: "skills", role: "group", "aria-label": "Skill to go to and stay in" }, h("span", { class: "quiet" }, "Go to"), chips);
    }

    /** The fragments of the controller in charge, and the ways between them. */
    private async showGraph(controller: string): Promise<void> {
        this.graph = undefined;
        this.graphPlace.replaceChildren();
        const detail = controller === "" ? undefined : await this.wishes.controller(controller).catch(() => undefined);
        if (detail === undefined || this.state?.controller !== controller) return;
        this.graph = controlGraph(detail, GRAPH_PX);
        this.graphPlace.replaceChildren(this.graph.element);
        if (detail.skills.length > 1) this.graphPlace.append(this.goals(detail));
    }

    private showSkills(state: CharacterState): void {
        const fitting = this.controllers.filter((each) => each.model === state.model);
        fill(this.skills, fitting.map((each, i) => {
            const title = `${each.skill || each.name}: ${each.fragmentCount} fragments, ${each.durationS.toFixed(2)} s${i < 9 ? ` (key ${i + 1})` : ""}`;
            const button = h("button", { class: "chip", title, onclick: () => this.perform(each.name) }, each.name);
            button.dataset.name = each.name;
            return button;
        }));
    }

    private perform(controller: string): void {
        this.withSelected((state) => this.wishes.perform(state.entity, controller));
    }

    /** The index-th skill of the one selected. */
    performIndex(index: number): void {
        const name = (this.skills.children[index] as HTMLElement | undefined)?.dataset.name;
        if (name) this.perform(name);
    }

    toggleFollow(): void {
        this.followBox.checked = !this.followBox.checked;
        this.wishes.follow(this.followBox.checked);
    }

    stopFollowing(): void {
        if (this.followBox.checked) this.toggleFollow();
    }

    private withSelected(act: (state: CharacterState) => void): void {
        if (this.state) act(this.state);
    }

    private submit(event: Event): void {
        event.preventDefault();
        if (this.select.value) this.wishes.spawn(this.select.value, this.label.value.trim());
        this.label.value = "";
    }
}

/** Without the sign of a zero. */
function tenths(value: number): string {
    return (Math.round(value * 10) / 10 + 0).toFixed(1);
}
