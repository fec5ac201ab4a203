/* Skins, made in a worker, so that the picture moves on meanwhile. */
import type { Plan } from "./plan.js";
import type { Skin } from "./skin.js";
import type { Order } from "./worker.js";

export class SkinMaker {
    private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    /** One for each order, in their order: so the worker answers. */
    private readonly waiting: { resolve: (skin: Skin) => void; reject: (error: Error) => void }[] = [];

    constructor() {
        this.worker.onmessage = ({ data }: MessageEvent<Skin>) => this.waiting.shift()?.resolve(data);
        this.worker.onerror = (event) => this.waiting.shift()?.reject(new Error(event.message));
    }

    /** cell: as in skinOf. */
    make(plan: Plan, cell: number): Promise<Skin> {
        this.worker.postMessage({ plan, cell } satisfies Order);
        return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
    }

    destroy(): void {
        this.worker.terminate();
    }
}
