/* Building DOM in one expression: h("button", { class: "primary", onclick: run }, "Run"). */

type Child = Node | string | number | null | undefined | false | Child[];
type Properties = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function append(parent: Element, child: Child): void {
    if (Array.isArray(child)) child.forEach((each) => append(parent, each));
    else if (child !== null && child !== undefined && child !== false)
        parent.append(typeof child === "number" ? String(child) : child);
}

/** Listeners as `onclick` and so on; true and false for attributes that are there or not; the rest as attributes. */
function apply(element: Element, properties: Properties): void {
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

export function h<K extends keyof HTMLElementTagNameMap>(
    name: K,
    properties: Properties = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(name);
    apply(element, properties);
    append(element, children);
    return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
    name: K,
    properties: Properties = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS(SVG, name);
    apply(element, properties);
    append(element, children);
    return element;
}

/** Writes text only when it changed, so that a frame in which nothing changes costs no layout. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

/** Replaces what is inside. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}
