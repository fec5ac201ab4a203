/* Modal dialogs: the list of keys, the key of the daemon. */
import type { KeyRow } from "../drive/keys.js";
import { h } from "./element.js";

function open(dialog: HTMLDialogElement): HTMLDialogElement {
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** hints: what pointers and fingers do there. */
export function showKeys(rows: KeyRow[], hints: string): void {
    const close = h("button", { class: "primary", autofocus: true, onclick: () => dialog.close() }, "Close");
    const dialog = open(h("dialog", { "aria-label": "Keys" },
        h("h2", {}, "Keys"),
        h("dl", { class: "keys" }, rows.map(([keys, text]) => [h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, text)])),
        h("p", { class: "quiet" }, hints),
        close));
}

/** Asks for the key that the daemon demands. */
export function askKey(reason: string, unlock: (key: string) => void): HTMLDialogElement {
    const field = h("input", { type: "password", autocomplete: "current-password", required: true, autofocus: true, "aria-label": "Key" });
    const submit = (event: Event) => {
        event.preventDefault();
        unlock(field.value.trim());
        dialog.close();
    };
    const dialog = open(h("dialog", { class: "login", "aria-label": "Key" },
        h("form", { onsubmit: submit },
            h("h2", {}, "This daemon asks for a key"),
            h("p", { class: "quiet" }, reason),
            field,
            h("button", { class: "primary", type: "submit" }, "Enter"))));
    return dialog;
}
