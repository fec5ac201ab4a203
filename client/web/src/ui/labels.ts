/* Names over heads: DOM over the picture, moved by transforms. */
import { Vector3 } from "three";
import type { Drawn } from "../scene/cast.js";
import { castColor } from "../scene/palette.js";
import type { Stage } from "../scene/stage.js";
import { h, setText } from "./element.js";

const DETAIL_M = 14; // from farther away only names

interface Label {
    root: HTMLElement;
    name: HTMLElement;
    detail: HTMLElement;
}

export class Labels {
    readonly element = h("div", { class: "labels", "aria-hidden": "true" });
    visible = true;
    private readonly labels = new Map<number, Label>();
    private readonly at = new Vector3();

    update(stage: Stage, selected: number | undefined, detailOf: (drawn: Drawn) => string): void {
        const { clientWidth: width, clientHeight: height } = this.element;
        this.element.hidden = !this.visible;
        if (!this.visible) return;
        for (const [entity, drawn] of stage.cast.drawn) {
            const label = this.labels.get(entity) ?? this.add(entity, drawn);
            const there = stage.project(drawn.top, width, height, this.at);
            const near = drawn.top.distanceTo(stage.orbit.camera.position) < DETAIL_M;
            label.root.style.display = there ? "" : "none";
            if (!there) continue;
            label.root.style.transform = `translate(${this.at.x.toFixed(1)}px, ${this.at.y.toFixed(1)}px) translate(-50%, -100%)`;
            label.root.classList.toggle("selected", entity === selected);
            label.root.classList.toggle("fallen", drawn.state.fallen);
            setText(label.name, nameOf(drawn));
            setText(label.detail, near || entity === selected ? detailOf(drawn) : "");
        }
        for (const [entity, label] of this.labels)
            if (!stage.cast.drawn.has(entity)) {
                label.root.remove();
                this.labels.delete(entity);
            }
    }

    private add(entity: number, drawn: Drawn): Label {
        const name = h("span", { class: "name" });
        const detail = h("span", { class: "detail" });
        const mark = h("i", {});
        mark.style.background = castColor(drawn.index);
        const root = h("div", { class: "label" }, mark, name, detail);
        this.element.append(root);
        const label = { root, name, detail };
        this.labels.set(entity, label);
        return label;
    }
}

export function nameOf(drawn: Drawn): string {
    return drawn.state.label || `#${drawn.state.entity & 0xffff}`;
}
