/* What the catalogue says, asked once for each name. */
import { catalogue, type Client, type ControllerDetail, type ControllerSummary, type ModelDetail } from "troupe-client";
import { placeIn, type Place } from "./doing.js";

const ASK_AGAIN_MS = 5000;

export class Knowledge {
    private readonly models = new Map<string, Promise<ModelDetail>>();
    private readonly details = new Map<string, Promise<ControllerDetail>>();
    private list: Promise<ControllerSummary[]> | undefined;
    /** Those that are known, and those on which an answer is not to be asked for now. */
    private readonly known = new Map<string, ControllerDetail>();
    private readonly asked = new Set<string>();

    constructor(private readonly client: () => Client | undefined) {}

    model(name: string): Promise<ModelDetail> {
        let model = this.models.get(name);
        if (model === undefined) {
            model = this.ask((client) => client.model(name));
            this.models.set(name, model);
            model.catch(() => this.models.delete(name));
        }
        return model;
    }

    controller(name: string): Promise<ControllerDetail> {
        let detail = this.details.get(name);
        if (detail === undefined) {
            detail = this.ask((client) => client.controller(name));
            this.details.set(name, detail);
            detail.catch(() => this.details.delete(name));
        }
        return detail;
    }

    /** What is known of a controller; undefined: not yet, and asked for. */
    detail(controller: string): ControllerDetail | undefined {
        const detail = this.known.get(controller);
        if (detail === undefined && controller !== "" && !this.asked.has(controller)) void this.learn(controller);
        return detail;
    }

    /** Where in its controller a fragment is; undefined: not known yet, and asked for. */
    place(controller: string, fragment: number): Place | undefined {
        const detail = this.detail(controller);
        return detail && placeIn(detail, fragment);
    }

    private async learn(controller: string): Promise<void> {
        this.asked.add(controller);
        try {
            this.known.set(controller, await this.controller(controller));
        } catch {
            setTimeout(() => this.asked.delete(controller), ASK_AGAIN_MS);
        }
    }

    controllers(): Promise<ControllerSummary[]> {
        if (this.list === undefined) {
            this.list = this.ask((client) => catalogue.controllers(client));
            this.list.catch(() => (this.list = undefined));
        }
        return this.list;
    }

    /** The list of controllers is out of date. */
    forget(): void {
        this.list = undefined;
    }

    private ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
        const client = this.client();
        return client ? question(client) : Promise.reject(new Error("not connected"));
    }
}
