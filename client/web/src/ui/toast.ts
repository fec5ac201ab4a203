/* Short messages at the foot of the page: what the daemon refused, what was copied. */
import { h } from "./element.js";

const SHOWN_MS = 6000;
const MAX = 3;
const area = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

export function toastArea(): HTMLElement {
    return area;
}

export function toast(text: string, kind: "note" | "error" = "note"): void {
    if (area.lastElementChild?.textContent === text) area.lastElementChild.remove();
    const element = h("div", { class: `toast ${kind}` }, text);
    area.append(element);
    while (area.childElementCount > MAX) area.firstElementChild!.remove();
    setTimeout(() => element.remove(), SHOWN_MS);
}

/** Runs what may be refused, and tells why it was. True: it was done. */
export async function attempt(doing: () => Promise<unknown>): Promise<boolean> {
    try {
        await doing();
        return true;
    } catch (error) {
        toast(error instanceof Error ? error.message : String(error), "error");
        return false;
    }
}
