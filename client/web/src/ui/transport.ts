/* Time: restart, pause, step, speed. */
import { WorldMode, type WorldInfo, type WorldState } from "troupe-client";
import { h, setText } from "./element.js";
import { icon } from "./icon.js";

const RATES = [0.1, 0.25, 0.5, 1, 2, 4];

export interface TransportActions {
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

    /** clock: shows the time of the world. */
    constructor(actions: TransportActions, clock = true) {
        this.play = h("button", { class: "icon", onclick: () => actions.pause(!this.paused) });
        this.stepButton = h("button", { class: "icon", title: "One step (.)", "aria-label": "Step", onclick: () => actions.step() }, icon("step"));
        const restart = h("button", { class: "icon", title: "Restart (R)", "aria-label": "Restart", onclick: () => actions.restart() }, icon("restart"));
        this.rates.addEventListener("change", () => actions.rate(Number(this.rates.value)));
        this.element = h("div", { class: "transport", role: "toolbar", "aria-label": "Time" }, restart, this.play, this.stepButton, this.rates, clock && this.clock);
        this.rates.value = "1";
        this.setPaused(false);
    }

    get isPaused(): boolean {
        return this.paused;
    }

    setPaused(paused: boolean): void {
        this.paused = paused;
        this.play.replaceChildren(icon(paused ? "play" : "pause"));
        this.play.title = paused ? "Resume (space)" : "Pause (space)";
        this.play.ariaLabel = paused ? "Resume" : "Pause";
        this.stepButton.disabled = !paused;
    }

    setWorld(world: WorldInfo): void {
        const stepped = world.mode === WorldMode.STEPPED;
        this.setPaused(world.paused);
        this.play.disabled = stepped;
        if (stepped) this.play.title = "The clients of this world step it";
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
