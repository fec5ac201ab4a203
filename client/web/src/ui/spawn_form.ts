/* A form that adds a character. */
import type { ControllerSummary } from "troupe-client";
import { fill, h } from "./element.js";
import { sectionsOf } from "../state/choice.js";

export class SpawnForm {
    readonly element: HTMLElement;
    private readonly controller = h("select", { "aria-label": "Controller" });
    private readonly label = h("input", { type: "text", maxlength: 47, placeholder: "name", "aria-label": "Name" });

    constructor(private readonly spawn: (controller: string, label: string) => void) {
        this.element = h("form", { class: "spawn", onsubmit: (event: Event) => this.submit(event) }, this.controller, this.label, h("button", { class: "primary", type: "submit" }, "Add"));
    }

    setControllers(controllers: readonly ControllerSummary[]): void {
        fill(this.controller, sectionsOf(controllers).map((section) =>
            h("optgroup", { label: section.title }, section.controllers.map(({ name, purpose }) => h("option", { value: name, title: purpose }, name)))));
    }

    private submit(event: Event): void {
        event.preventDefault();
        if (this.controller.value) this.spawn(this.controller.value, this.label.value.trim());
        this.label.value = "";
    }
}
