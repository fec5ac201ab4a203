/* Modal dialogs: the list of keys, the key of the daemon, another controller, a command for a shell. */
import type { ControllerSummary } from "troupe-client";
import type { KeyRow } from "../drive/keys.js";
import { h, setText } from "./element.js";

function open(dialog: HTMLDialogElement): HTMLDialogElement {
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    dialog.scrollTop = 0; // from its first row, wherever the focus is
    return dialog;
}

/** hints: what pointers and fingers do. */
export function showKeys(rows: KeyRow[], hints: string): void {
    const close = h("button", { class: "primary", autofocus: true, onclick: () => dialog.close() }, "Close");
    const dialog = open(h("dialog", { "aria-label": "Keys" },
        h("h2", {}, "Keys"),
        h("dl", { class: "keys" }, rows.map(([keys, text]) => [h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, text)])),
        h("p", { class: "quiet" }, hints),
        close));
}

/** Asks for the key that the daemon demands. reason: why it asks. */
export function askKey(reason: string, unlock: (key: string) => void): HTMLDialogElement {
    const field = h("input", { type: "password", autocomplete: "current-password", required: true, autofocus: true, "aria-label": "Key" });
    const submit = (event: Event) => {
        event.preventDefault();
        dialog.close();
        dialog.remove(); // before the next one, which a refused key opens at once
        unlock(field.value.trim());
    };
    const dialog = open(h("dialog", { class: "login", "aria-label": "Key" },
        h("form", { onsubmit: submit },
            h("h2", {}, "This daemon asks for a key"),
            h("p", { class: "quiet" }, reason),
            field,
            h("button", { class: "primary", type: "submit" }, "Enter"))));
    return dialog;
}

/** Asks which controller is to replace the present one, and says what that risks. */
export function askController(controllers: readonly ControllerSummary[], replace: (name: string) => void): void {
    const field = h("select", { "aria-label": "New controller", autofocus: true }, controllers.map(({ name }) => h("option", { value: name }, name)));
    const submit = (event: Event) => {
        event.preventDefault();
        if (field.value) replace(field.value);
        dialog.close();
    };
    const dialog = open(h("dialog", { "aria-label": "Replace controller" },
        h("form", { onsubmit: submit },
            h("h2", {}, "Replace controller"),
            h("p", {}, "The new controller takes over at the end of the control fragment in progress, whatever the character is doing then. If the two do not move alike at that moment, the character falls: nearly always from a run."),
            h("p", { class: "quiet" }, "To change between skills of one controller, use the skill buttons: they go by learned transitions."),
            field,
            h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Replace"), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")))));
}

/** Shows a command that is run where the daemon is, and copies it. */
export function showCommand(title: string, command: string, more: string): void {
    const copy = h("button", { class: "primary", autofocus: true, onclick: () => {
        navigator.clipboard.writeText(command).then(() => setText(copy, "Copied"), () => setText(copy, "Select it to copy it"));
    } }, "Copy");
    const dialog = open(h("dialog", { "aria-label": title },
        h("h2", {}, title),
        h("p", { class: "command" }, h("code", {}, command)),
        h("p", { class: "quiet" }, more),
        h("div", { class: "row" }, copy, h("button", { onclick: () => dialog.close() }, "Close"))));
}
