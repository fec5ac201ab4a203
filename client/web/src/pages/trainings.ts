/* Trainings that the daemon makes: their curves while they run, and a form that starts one. */
import { TrainingState, type Training, type TrainingList } from "troupe-client";
import { curvesOf } from "../ui/curves.js";
import { fill, h, setText } from "../ui/element.js";
import { attempt } from "../ui/toast.js";
import { TrainingForm, type StartTraining } from "../ui/training_form.js";
import type { Context, Page } from "./page.js";

const EVERY_MS = 2000;
const STATES: Partial<Record<TrainingState, string>> = {
    [TrainingState.RUNNING]: "running",
    [TrainingState.DONE]: "done",
    [TrainingState.STOPPED]: "stopped",
    [TrainingState.FAILED]: "failed",
    [TrainingState.INTERRUPTED]: "interrupted",
};

function introOf({ limit, clips, trainings }: TrainingList, directs: boolean): string {
    if (limit === 0) return "This daemon makes no trainings: its configuration turns them off, or names no folder of clips (training.limit, training.clips). On your own machine, troupe-train learn CLIP does.";
    if (clips.length === 0) return "The daemon's folder of clips is empty. Put BVH or AMC files into it.";
    if (trainings.length > 0) return "Newest first. What was learned is in the catalogue.";
    return `No training yet. A training learns a controller from a clip, in minutes. ${directs ? "Start one below." : "Directors can start one."}`;
}

export class TrainingsPage implements Page {
    readonly title = "Trainings";
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "trainings" });
    private readonly intro = h("p", { class: "lead" });
    private readonly form = new TrainingForm((training) => void this.start(training));
    private readonly starting = h("section", { hidden: true }, h("h2", {}, "Start a training"), this.form.element);
    private readonly timer: ReturnType<typeof setInterval>;
    private shown = "";

    constructor(private readonly context: Context) {
        this.element = h("main", { class: "page" }, h("h1", {}, "Trainings"), this.intro, this.starting, this.list);
        this.timer = setInterval(() => this.connected(), EVERY_MS);
        this.connected();
    }

    connected(): void {
        void this.show().catch((error: Error) => setText(this.intro, error.message));
    }

    destroy(): void {
        clearInterval(this.timer);
    }

    private async show(): Promise<void> {
        const { session } = this.context;
        const list = await session.client?.ask({ case: "listTrainings", value: {} }, "trainingList");
        if (list === undefined) return;
        setText(this.intro, introOf(list, session.directs));
        this.starting.hidden = !session.directs || list.limit === 0 || list.clips.length === 0;
        this.form.setClips(list.clips);
        const now = list.trainings.map(({ name, state, detail, controller }) => [name, state, detail, controller].join()).join("\n");
        if (now === this.shown) return; // what is focused stays
        this.shown = now;
        fill(this.list, list.trainings.map((training) => this.card(training)));
    }

    private card(training: Training): HTMLElement {
        const { name, clip, effort, state, detail, controller, share, metrics } = training;
        const running = state === TrainingState.RUNNING;
        const { directs } = this.context.session;
        return h("article", { class: "card training" },
            h("h2", {}, controller === "" ? name : h("a", { href: `#/catalogue/${encodeURIComponent(controller)}` }, name)),
            h("p", { class: "quiet" }, `${clip} · ${effort || "normal"} · ${STATES[state] ?? ""}`),
            running && h("progress", { value: share, max: 1, "aria-label": `Done of ${name}` }),
            h("p", { class: "command" }, h("code", {}, detail || "begins")),
            h("div", { class: "curves" }, curvesOf(metrics)),
            running && directs && h("button", { type: "button", "aria-label": `Stop ${name}`, onclick: () => void this.stop(name) }, "Stop"),
            state === TrainingState.INTERRUPTED && directs && this.interrupted(training));
    }

    /** It continues by the request that it began with. */
    private interrupted({ name, clip, effort, seed }: Training): HTMLElement {
        return h("div", { class: "row" },
            h("button", { type: "button", "aria-label": `Continue ${name}`, onclick: () => void this.start({ name, clip, effort, seed }) }, "Continue"),
            h("button", { type: "button", "aria-label": `End ${name}`, title: "Keep its best until now", onclick: () => void this.stop(name) }, "End and keep"));
    }

    private async start(training: StartTraining): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        await attempt(() => client.ask({ case: "startTraining", value: training }, "training"));
        this.connected();
    }

    /** It ends after its round. */
    private async stop(name: string): Promise<void> {
        const client = this.context.session.client;
        if (client === undefined) return;
        await attempt(() => client.ask({ case: "stopTraining", value: { name } }, "training"));
        this.connected();
    }
}
