/* A transport to a world in a worker of this page, in place of a daemon's socket. */
import type { Transport } from "troupe-client";
import type { Order, Said } from "./worker.js";

export class LocalTransport implements Transport {
    readonly unsent = 0;
    onBytes!: (bytes: Uint8Array) => void;
    onClose!: (reason: string) => void;
    private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    private readonly look = () => this.worker.postMessage({ shown: !document.hidden });

    /** progress: the share of the files that has arrived. Rejects with what failed. */
    static open(order: Order, progress: (share: number) => void): Promise<LocalTransport> {
        const transport = new LocalTransport();
        return transport.begin(order, progress).catch((error: unknown) => {
            transport.close();
            throw error;
        });
    }

    send(bytes: Uint8Array): void {
        this.worker.postMessage(bytes);
    }

    close(): void {
        document.removeEventListener("visibilitychange", this.look);
        this.worker.terminate();
    }

    private begin(order: Order, progress: (share: number) => void): Promise<this> {
        return new Promise((resolve, reject) => {
            this.worker.onerror = (event) => reject(new Error(event.message || "the worker could not start"));
            this.worker.onmessage = ({ data }: MessageEvent<Said>) => {
                if ("share" in data) progress(data.share);
                else if ("failed" in data) reject(new Error(data.failed));
                else resolve(this.ready());
            };
            this.worker.postMessage(order);
        });
    }

    /** From now on it is the client's. */
    private ready(): this {
        this.worker.onmessage = ({ data }: MessageEvent<Uint8Array>) => this.onBytes(data);
        this.worker.onerror = (event) => this.onClose(event.message || "the worker ended");
        document.addEventListener("visibilitychange", this.look);
        return this;
    }
}
