/* Time: pause, step, speed, back to the mark. */
import { WorldMode, type WorldInfo, type WorldState } from "troupe-client";
import { h, setText } from "./element.js";

const RATES = [0.1, 0.25, 0.5, 1, 2, 4];

export interface TransportWishes {
    pause: (paused: boolean) => void;
    step: () => void;
    rate: (rate: number) => void;
    restart: () => void;
}

export class Transport {
    readonly element: HTMLElement;
    private readonly play: HTMLButtonElement;
    private readonly stepButton: HTMLButtonElement;
    private readonly rates = h("select", { "aria-label": "Speed" }, RATES.map((rate) => h("option", { value: rate }, `${rate}×`)));
    private readonly clock = h("output", { class: "clock", "aria-label": "Time of the world" });
    private paused = false;

    constructor(wishes: TransportWishes) {
        this.play = h("button", { class: "icon", onclick: () => wishes.pause(!this.paused) });
        this.stepButton = h("button", { class: "icon", title: "One step (.)", "aria-label": "Step", onclick: () => wishes.step() }, icon("step"));
        const restart = h("button", { class: "icon", title: "Back to the mark (R)", "aria-label": "Restart", onclick: () => wishes.restart() }, icon("restart"));
        this.rates.addEventListener("change", () => wishes.rate(Number(this.rates.value)));
        this.element = h("div", { class: "transport", role: "toolbar", "aria-label": "Time" }, restart, this.play, this.stepButton, this.rates, this.clock);
        this.rates.value = "1";
        this.setPaused(false);
    }

    get isPaused(): boolean {
        return this.paused;
    }

    setPaused(paused: boolean): void {
        this.paused = paused;
        this.play.replaceChildren(icon(paused ? "play" : "pause"));
        this.play.title = paused ? "Go on (space)" : "Pause (space)";
        this.play.ariaLabel = paused ? "Go on" : "Pause";
        this.stepButton.disabled = !paused;
    }

    setWorld(world: WorldInfo): void {
        const stepped = world.mode === WorldMode.STEPPED;
        this.setPaused(world.paused);
        this.play.disabled = stepped;
        if (stepped) this.play.title = "This world moves as its steppers let it";
        this.rates.disabled = world.mode !== WorldMode.REAL_TIME;
        this.setRate(world.rate);
    }

    setRate(rate: number): void {
        const known = RATES.includes(rate);
        const other = this.rates.querySelector<HTMLOptionElement>("option[data-other]");
        if (known) other?.remove();
        else if (rate > 0) {
            const option = other ?? h("option", { "data-other": true });
            option.value = String(rate);
            option.textContent = `${Number(rate.toPrecision(2))}×`;
            this.rates.append(option);
        }
        this.rates.value = String(rate);
    }

    update(state: WorldState, shownS: number): void {
        setText(this.clock, `${shownS.toFixed(2)} s`);
        this.clock.title = `tick ${state.tick}`;
    }
}

const PATHS = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M6.5 5h3.6v14H6.5zM13.9 5h3.6v14h-3.6z",
    step: "M5 5v14l9.5-7zM16 5h3v14h-3z",
    record: "M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
    restart: "M12 5V1.8L6.8 6.2 12 10.6V7.4a5.3 5.3 0 1 1-5.2 6.4H4.4A7.7 7.7 0 1 0 12 5z",
} as const;

export function icon(name: keyof typeof PATHS): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name]);
    svg.append(path);
    return svg;
}
