/* A driver of a kind that this page has no drawing for: a sentence instead. */
import { h } from "../element.js";
import type { DriverKind } from "./drawing.js";

export const plain: DriverKind = {
    title: "Controller",
    draws: () => true,
    folded: false,
    draw: () => ({ element: h("p", { class: "quiet" }, "This controller is not made of control fragments."), show: () => {} }),
};
