/* A driver of a kind that this page has no drawing for: a sentence instead. */
import { reachOf, steeringWords } from "../../state/reach.js";
import { h } from "../element.js";
import type { DriverKind } from "./drawing.js";

export const plain: DriverKind = {
    title: "Controller",
    draws: () => true,
    folded: false,
    draw: (detail) => ({ element: h("p", { class: "quiet" }, `It decides in every step, so there are no control fragments to draw. ${steeringWords(reachOf(detail))}`), show: () => {} }),
};
