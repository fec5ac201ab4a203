/* Modal dialogs: the list of keys, the key of the daemon. */
import { KEYS } from "../drive/keys.js";
import { h } from "./element.js";

function open(dialog: HTMLDialogElement): HTMLDialogElement {
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

const NAMES: Record<string, string> = { " ": "space" };

export function showKeys(): void {
    const close = h("button", { class: "primary", autofocus: true, onclick: () => dialog.close() }, "Close");
    const rows = KEYS.map(({ keys, text }) => {
        const shown = keys.length > 4 ? [`${keys[0]} … ${keys.at(-1)}`] : keys;
        return [h("dt", {}, shown.map((key) => h("kbd", {}, NAMES[key] ?? key))), h("dd", {}, text)];
    });
    const steer = [h("dt", {}, h("kbd", {}, "arrows"), h("kbd", {}, "WASD")), h("dd", {}, "steer the one selected")];
    const dialog = open(h("dialog", { "aria-label": "Keys" },
        h("h2", {}, "Keys"),
        h("dl", { class: "keys" }, steer, rows),
        h("p", { class: "quiet" }, "Drag the ground to look around, with the right button or two fingers to move, wheel or pinch to zoom. Drag a body to push it; tap the ground to send the one selected there."),
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
