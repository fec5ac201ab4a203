/* The characters in the world: one row each. */
import type { CharacterState, WorldState } from "troupe-client";
import { castColor } from "../scene/palette.js";
import { h, setText } from "./element.js";

export interface CastSource {
    select: (entity: number) => void;
    doing: (state: CharacterState) => string;
    colorIndex: (state: CharacterState) => number;
}

interface Row {
    root: HTMLButtonElement;
    name: HTMLElement;
    doing: HTMLElement;
}

export function nameOf({ label, entity }: CharacterState): string {
    return label || `#${entity & 0xffff}`;
}

export class CastList {
    readonly element = h("div", { class: "cast", role: "listbox", "aria-label": "Characters" });
    private readonly rows = new Map<number, Row>();

    constructor(private readonly source: CastSource) {}

    update(world: WorldState, selected: number | undefined): void {
        for (const state of world.characters) this.show(state, state.entity === selected);
        if (this.rows.size > world.characters.length) this.prune(world);
    }

    private show(state: CharacterState, selected: boolean): void {
        const row = this.rows.get(state.entity) ?? this.addRow(state);
        setText(row.name, nameOf(state));
        setText(row.doing, this.source.doing(state));
        if (row.root.ariaSelected !== String(selected)) row.root.ariaSelected = String(selected);
        row.root.classList.toggle("fallen", state.fallen);
    }

    private addRow(state: CharacterState): Row {
        const { entity } = state;
        const mark = h("i", {});
        mark.style.background = castColor(this.source.colorIndex(state));
        const [name, doing] = [h("span", { class: "name" }), h("span", { class: "doing" })];
        const root = h("button", { role: "option", onclick: () => this.source.select(entity) }, mark, name, doing);
        const row = { root, name, doing };
        this.rows.set(entity, row);
        this.element.append(root);
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
}
