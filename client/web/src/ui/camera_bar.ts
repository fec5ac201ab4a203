/* Where the camera stands, over the picture: follow, and a button a view. */
import { VIEWS, type Camera, type View, type ViewName } from "../scene/camera.js";
import { h } from "./element.js";
import { icon } from "./icon.js";

type ShownView = View & { name: Exclude<ViewName, "free"> };

/** The free view needs no button: dragging is enough. */
const SHOWN = VIEWS.filter((view): view is ShownView => view.name !== "free");

export class CameraBar {
    readonly element: HTMLElement;
    private readonly follow = h("button", { class: "icon small", title: "Follow (F)", "aria-label": "Follow", onclick: () => this.camera.setFollowing(!this.camera.following) }, icon("follow"));
    private readonly views = new Map<ViewName, HTMLButtonElement>();

    constructor(private readonly camera: Camera) {
        for (const { name, title } of SHOWN)
            this.views.set(name, h("button", { class: "icon small", title: name === "all" ? `${title} (Z)` : title, "aria-label": title, onclick: () => this.choose(name) }, icon(name)));
        this.element = h("div", { class: "camera-bar", role: "toolbar", "aria-label": "Camera" }, this.follow, [...this.views.values()]);
        camera.onChange = () => this.update();
        this.update();
    }

    /** The view that is chosen again ends. */
    private choose(name: ViewName): void {
        this.camera.setView(this.camera.viewName === name ? "free" : name);
    }

    private update(): void {
        this.follow.ariaPressed = String(this.camera.following);
        for (const [name, button] of this.views) button.ariaPressed = String(this.camera.viewName === name);
    }
}
