/* The recordings that the daemon keeps. */
import { RecordingState, type Recording } from "troupe-client";
import { save } from "../ui/capture.js";
import { fill, h, setText } from "../ui/element.js";
import { attempt } from "../ui/toast.js";
import { sendFile } from "../ui/upload.js";
import type { Context, Page } from "./page.js";

const EVERY_MS = 3000;
const NAME_MAX = 47;

/** A name that the daemon accepts, as near to the text as possible; its end counts more than its beginning. */
export function recordingName(text: string): string {
    return text.replace(/[^A-Za-z0-9._-]/g, "-").slice(-NAME_MAX).replace(/^[.-]+/, "") || "unnamed";
}

export function recordingAddress(name: string, position = 0): string {
    return `#/recordings/${encodeURIComponent(name)}${position > 0 ? `?at=${position}` : ""}`;
}

function sizeWords(bytes: bigint): string {
    const kb = Number(bytes) / 1024;
    return kb < 1024 ? `${kb.toFixed(0)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

function stateWords(recording: Recording): string {
    if (recording.state === RecordingState.RUNNING) return "being recorded";
    const length = recording.length > 0n ? `${(Number(recording.length) * recording.stepS).toFixed(1)} s` : "";
    return recording.state === RecordingState.CUT ? "cut off" : length;
}

export class RecordingsPage implements Page {
    readonly title = "Recordings";
    readonly element: HTMLElement;
    private readonly intro = h("p", { class: "lead" });
    private readonly rows = h("tbody", {});
    private readonly table: HTMLElement;
    private readonly file = h("input", { type: "file", "aria-label": "Recording file", onchange: () => void this.upload() });
    private readonly timer: ReturnType<typeof setInterval>;

    constructor(private readonly context: Context) {
        this.table = h("div", { class: "scrolling" }, h("table", {},
            h("thead", {}, h("tr", {}, h("th", {}, "recording"), h("th", { class: "spare" }, "of world"), h("th", { class: "number" }, "length"), h("th", { class: "number" }, "size"), h("th", {}, h("span", { class: "unseen" }, "download")), h("th", {}, h("span", { class: "unseen" }, "delete")))), this.rows));
        this.element = h("main", { class: "page" }, h("h1", {}, "Recordings"), this.intro, this.table,
            h("section", {}, h("h2", {}, "Upload a recording"), this.file));
        this.timer = setInterval(() => this.connected(), EVERY_MS);
        this.connected();
    }

    connected(): void {
        void this.upload();
        void this.show().catch((error: Error) => setText(this.intro, error.message));
    }

    destroy(): void {
        clearInterval(this.timer);
    }

    private async show(): Promise<void> {
        const list = await this.context.session.client?.ask({ case: "listRecordings", value: { page: { size: 256 } } }, "recordingList");
        if (list === undefined) return;
        const none = list.recordings.length === 0;
        setText(this.intro, none ? "No recording yet. Open a world and press its red record button; press it again to end the recording." : "Exact to the bit, and small: they hold what was done, not what was seen.");
        this.table.hidden = none;
        fill(this.rows, list.recordings.map((each) => this.row(each)));
    }

    private row(recording: Recording): HTMLElement {
        const { name } = recording;
        const remove = () => void attempt(() => this.context.session.client!.tell({ case: "deleteRecording", value: { name } })).then(() => this.connected());
        return h("tr", {},
            h("td", {}, h("a", { href: recordingAddress(name) }, name)),
            h("td", { class: "spare" }, recording.world), h("td", { class: "number" }, stateWords(recording)), h("td", { class: "number" }, sizeWords(recording.sizeBytes)),
            h("td", {}, h("button", { class: "small", onclick: () => void attempt(() => this.download(recording)) }, "Download")),
            h("td", {}, h("button", { class: "small", onclick: remove, disabled: recording.state === RecordingState.RUNNING }, "Delete")));
    }

    private async download({ name }: Recording): Promise<void> {
        const parts: Uint8Array<ArrayBuffer>[] = [];
        for (let offset = 0n; ; ) {
            const part = await this.context.session.client!.ask({ case: "downloadRecording", value: { name, offset } }, "recordingPart");
            if (part.data.length === 0) break;
            parts.push(new Uint8Array(part.data));
            offset += BigInt(part.data.length);
        }
        save(new Blob(parts, { type: "application/octet-stream" }), `${name}.recording`);
    }

    private async upload(): Promise<void> {
        const file = this.file.files?.[0];
        const client = this.context.session.client;
        if (file === undefined || client === undefined) return; // it stays chosen until there is a connection
        this.file.value = "";
        const name = recordingName(file.name.replace(/\.[^.]*$/, ""));
        await attempt(() => sendFile(file, (part) => client.tell({ case: "uploadRecording", value: { name, ...part } })));
        this.connected();
    }
}
