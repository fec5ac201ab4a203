/* Names over heads: DOM over the picture, moved by transforms. Where two would lie over each other, the farther one is lifted. */
import { Vector3 } from "three";
import type { Drawn } from "../scene/cast.js";
import { castColor } from "../scene/palette.js";
import type { Stage } from "../scene/stage.js";
import { nameOf } from "./cast_list.js";
import { h, setText } from "./element.js";

const DETAIL_M = 14; // from farther away only names
const HEIGHT_PX = 23;
const GAP_PX = 2;
const RISE_SHARE = 0.25; // of what is left, each frame: labels glide

interface Label {
    root: HTMLElement;
    name: HTMLElement;
    detail: HTMLElement;
    /** What is written, and how wide that is: measured when it changes. */
    text: string;
    width: number;
    /** Where the head is on the picture, and how far away; above it by `lift`. */
    x: number;
    y: number;
    distance: number;
    lift: number;
}

/** Lifts each label, the nearest first, above those already placed. Returns how far, in pixels. */
export function liftOver(placed: { x: number; top: number; width: number }[], x: number, y: number, width: number): number {
    let top = y - HEIGHT_PX;
    for (let again = true; again; ) {
        again = false;
        for (const other of placed)
            if (Math.abs(other.x - x) < (other.width + width) / 2 && Math.abs(other.top - top) < HEIGHT_PX) {
                top = other.top - HEIGHT_PX - GAP_PX;
                again = true;
            }
    }
    placed.push({ x, top, width });
    return y - HEIGHT_PX - top;
}

export class Labels {
    readonly element = h("div", { class: "labels", "aria-hidden": "true" });
    visible = true;
    private readonly labels = new Map<number, Label>();
    private readonly at = new Vector3();

    update(stage: Stage, selected: number | undefined, detailOf: (drawn: Drawn) => string): void {
        this.element.hidden = !this.visible;
        if (!this.visible) return;
        const { clientWidth: width, clientHeight: height } = this.element;
        const shown: Label[] = [];
        for (const [entity, drawn] of stage.cast.drawn) {
            const label = this.labels.get(entity) ?? this.add(entity, drawn);
            const there = stage.project(drawn.top, width, height, this.at);
            label.root.style.display = there ? "" : "none";
            if (!there) continue;
            label.x = this.at.x;
            label.y = this.at.y;
            label.distance = entity === selected ? 0 : drawn.top.distanceTo(stage.orbit.camera.position);
            label.root.classList.toggle("selected", entity === selected);
            label.root.classList.toggle("fallen", drawn.state.fallen);
            this.write(label, nameOf(drawn.state), label.distance < DETAIL_M ? detailOf(drawn) : "");
            shown.push(label);
        }
        this.place(shown, width);
        for (const [entity, label] of this.labels)
            if (!stage.cast.drawn.has(entity)) {
                label.root.remove();
                this.labels.delete(entity);
            }
    }

    private write(label: Label, name: string, detail: string): void {
        if (label.text === name + detail) return;
        setText(label.name, name);
        setText(label.detail, detail);
        label.text = name + detail;
        label.width = label.root.offsetWidth;
    }

    private place(shown: Label[], width: number): void {
        const placed: { x: number; top: number; width: number }[] = [];
        shown.sort((a, b) => a.distance - b.distance);
        for (const label of shown) {
            const half = label.width / 2 + 4;
            const x = label.x < -half || label.x > width + half ? label.x : Math.min(Math.max(label.x, half), Math.max(half, width - half));
            label.lift += (liftOver(placed, x, label.y, label.width) - label.lift) * RISE_SHARE;
            label.root.style.transform = `translate(${(x - label.width / 2).toFixed(1)}px, ${(label.y - HEIGHT_PX - label.lift).toFixed(1)}px)`;
            label.root.style.zIndex = String(1000 - Math.min(999, Math.round(label.distance * 10)));
        }
    }

    private add(entity: number, drawn: Drawn): Label {
        const name = h("span", { class: "name" });
        const detail = h("span", { class: "detail" });
        const mark = h("i", {});
        mark.style.background = castColor(drawn.index);
        const root = h("div", { class: "label" }, mark, name, detail);
        this.element.append(root);
        const label = { root, name, detail, text: "", width: 0, x: 0, y: 0, distance: 0, lift: 0 };
        this.labels.set(entity, label);
        return label;
    }
}
