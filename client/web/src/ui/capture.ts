/* Pictures and videos of what is shown, kept as files. */
import type { Stage } from "../scene/stage.js";
import { h } from "./element.js";
import { icon } from "./icon.js";
import { toast } from "./toast.js";

const PICTURE_SCALE = 2; // pixels per CSS pixel
const FRAMES_PER_S = 60;
const BITS_PER_S = 12e6;
/** The first that the browser writes. */
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const KEPT_MS = 10000; // a file's address, so that the browser can fetch it

export function save(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

export class Capture {
    readonly element: HTMLElement;
    private readonly film = h("button", { class: "icon", onclick: () => (this.recorder ? this.stop() : this.start()) }, icon("film"));
    private recorder: MediaRecorder | undefined;

    /** nameNow: of a file of this moment, without its ending. */
    constructor(
        private readonly stage: Stage,
        private readonly canvas: HTMLCanvasElement,
        private readonly nameNow: () => string,
    ) {
        const picture = h("button", { class: "icon", title: "Save a picture", "aria-label": "Save a picture", onclick: () => void this.picture() }, icon("picture"));
        this.film.disabled = typeof MediaRecorder === "undefined";
        this.element = h("div", { class: "capture", role: "group", "aria-label": "Picture and video" }, picture, this.film);
        this.showRecording();
    }

    destroy(): void {
        this.stop();
    }

    private async picture(): Promise<void> {
        const name = this.nameNow();
        const blob = await this.stage.picture(PICTURE_SCALE);
        if (blob) save(blob, `${name}.png`);
    }

    private start(): void {
        const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
        if (mimeType === undefined) return toast("This browser writes no videos", "error");
        const parts: Blob[] = [];
        const name = this.nameNow();
        const recorder = new MediaRecorder(this.canvas.captureStream(FRAMES_PER_S), { mimeType, videoBitsPerSecond: BITS_PER_S });
        recorder.ondataavailable = ({ data }) => parts.push(data);
        recorder.onstop = () => save(new Blob(parts, { type: mimeType }), `${name}.${mimeType.includes("mp4") ? "mp4" : "webm"}`);
        recorder.start(1000);
        this.recorder = recorder;
        this.showRecording();
    }

    private stop(): void {
        this.recorder?.stop();
        this.recorder = undefined;
        this.showRecording();
    }

    private showRecording(): void {
        const on = this.recorder !== undefined;
        this.film.ariaPressed = String(on);
        this.film.ariaLabel = this.film.title = on ? "End the video and save it" : "Make a video of the picture";
    }
}
