/* Light or dark: as the system has it, until the button was used. */
import { h } from "./element.js";

const KEPT = "troupe.scheme";

export function schemeButton(): HTMLElement {
    const kept = localStorage.getItem(KEPT);
    if (kept === "light" || kept === "dark") document.documentElement.dataset.scheme = kept;
    return h("button", { class: "plain scheme", title: "Light or dark", "aria-label": "Switch between light and dark", onclick: switchScheme }, "◐");
}

function switchScheme(): void {
    const root = document.documentElement;
    const now = root.dataset.scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.scheme = now === "dark" ? "light" : "dark";
    localStorage.setItem(KEPT, root.dataset.scheme);
    document.dispatchEvent(new Event("schemechange"));
}
