/* The force that a character feels along its heading, on a bar that spans the forces that its driver learned to answer. */
import type { CharacterState } from "troupe-client";
import { h } from "../element.js";
import type { DriverDrawing } from "./drawing.js";

/** The bar, as a share of its width: from no force to the force that is felt, which stays within the span. */
export function feltBar(feltN: number, [lowN, highN]: readonly [number, number]): { left: number; width: number } {
    const at = (n: number) => (Math.min(Math.max(n, lowN), highN) - lowN) / (highN - lowN);
    const [zero, felt] = [at(0), at(feltN)];
    return { left: Math.min(zero, felt), width: Math.abs(felt - zero) };
}

/** In words: "84 N from the front, 12 N to the left". */
export function feltWords(along: number, left: number): string {
    const part = (n: number, positive: string, negative: string) => (Math.abs(n) < 1 ? "" : `${Math.abs(n).toFixed(0)} N ${n > 0 ? positive : negative}`);
    return [part(along, "from behind", "from the front"), part(left, "to the left", "to the right")].filter(Boolean).join(", ") || "no force";
}

export function force(): DriverDrawing {
    const bar = h("span", { class: "bar" });
    const [low, words, high] = ["", "value", ""].map((name) => h("span", { class: name }));
    const element = h("div", { class: "felt", "aria-label": "force that it feels" }, h("span", { class: "span" }, bar), low, words, high);
    const show = (state: CharacterState | undefined) => {
        const [along = 0, left = 0] = state?.feltForce ?? [];
        const [lowN = 0, highN = 0] = state?.learnedForce ?? [];
        element.hidden = lowN >= highN;
        if (element.hidden) return;
        const { left: from, width } = feltBar(along, [lowN, highN]);
        bar.style.marginLeft = `${(100 * from).toFixed(1)}%`;
        bar.style.width = `${(100 * width).toFixed(1)}%`;
        element.classList.toggle("beyond", along < lowN || along > highN);
        low!.textContent = `${lowN.toFixed(0)} N`;
        words!.textContent = feltWords(along, left);
        high!.textContent = `${highN.toFixed(0)} N`;
    };
    show(undefined);
    return { element, show };
}
