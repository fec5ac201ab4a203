/* What is shown in the picture: a menu of check boxes. */
import type { Showable } from "../drive/keys.js";
import { h } from "./element.js";

const ITEMS: readonly { what: Showable; text: string; on: boolean }[] = [
    { what: "names", text: "Names", on: true },
    { what: "contacts", text: "Contact forces", on: true },
    { what: "pushes", text: "Pushes", on: true },
    { what: "shadows", text: "Shadows", on: true },
    { what: "shapes", text: "Simulated shapes", on: false },
    { what: "numbers", text: "Frame rate and delay", on: false },
];

export class ShowMenu {
    readonly element: HTMLDetailsElement;
    private readonly boxes = new Map<Showable, HTMLInputElement>();

    /** toggle: shows or hides; returns which. */
    constructor(toggle: (what: Showable) => boolean) {
        const item = ({ what, text, on }: (typeof ITEMS)[number]) => {
            const box: HTMLInputElement = h("input", { type: "checkbox", checked: on, onchange: () => {
                box.checked = toggle(what);
                this.element.open = false; // it covers what it shows
            } });
            this.boxes.set(what, box);
            return h("label", { class: "toggle" }, box, text);
        };
        this.element = h("details", { class: "menu up" }, h("summary", { class: "button" }, "Show"), h("div", { class: "items" }, ITEMS.map(item)));
    }

    /** What was shown or hidden by a key. */
    set(what: Showable, on: boolean): void {
        this.boxes.get(what)!.checked = on;
    }
}
