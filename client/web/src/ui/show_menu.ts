/* What is shown in the picture: a menu of check boxes, and a mesh of the user's. */
import type { Showable } from "../drive/keys.js";
import { h } from "./element.js";
import { attempt } from "./toast.js";

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

    /** toggle: shows or hides; returns which. wear: puts a mesh on; without files off. */
    constructor(toggle: (what: Showable) => boolean, wear: (files: readonly File[]) => Promise<void>) {
        const item = ({ what, text, on }: (typeof ITEMS)[number]) => {
            const box: HTMLInputElement = h("input", { type: "checkbox", checked: on, onchange: () => {
                box.checked = toggle(what);
                this.element.open = false; // it covers what it shows
            } });
            this.boxes.set(what, box);
            return h("label", { class: "toggle" }, box, text);
        };
        this.element = h("details", { class: "menu up" }, h("summary", { class: "button" }, "Show"), h("div", { class: "items" }, ITEMS.map(item), this.makeWear(wear)));
    }

    /** What was shown or hidden by a key. */
    set(what: Showable, on: boolean): void {
        this.boxes.get(what)!.checked = on;
    }

    private makeWear(wear: (files: readonly File[]) => Promise<void>): HTMLElement {
        const title = "A .glb or .vrm file, and a map of its bones (.json) where their names are not known; or drop them on the picture";
        const input: HTMLInputElement = h("input", { type: "file", accept: ".glb,.vrm,.json", multiple: true, "aria-label": "Wear your mesh", onchange: () => {
            void attempt(() => wear([...input.files!])).then(() => (input.value = ""));
            this.element.open = false;
        } });
        const off = h("button", { class: "plain", onclick: () => void attempt(() => wear([])) }, "Take your mesh off");
        return h("div", {}, h("label", { class: "toggle", title }, "Wear your mesh", input), off);
    }
}
