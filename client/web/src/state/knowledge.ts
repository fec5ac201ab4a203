/* What the catalogue says, asked once for each name. */
import { catalogue, type Client, type ControllerDetail, type ControllerSummary, type ModelDetail } from "troupe-client";

export class Knowledge {
    private readonly models = new Map<string, Promise<ModelDetail>>();
    private readonly details = new Map<string, Promise<ControllerDetail>>();
    private list: Promise<ControllerSummary[]> | undefined;
    /** Fragments of each controller known so far. */
    readonly fragmentCount = new Map<string, number>();

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

    controllers(): Promise<ControllerSummary[]> {
        if (this.list === undefined) {
            this.list = this.ask((client) => catalogue.controllers(client));
            this.list.then(
                (all) => all.forEach((each) => this.fragmentCount.set(each.name, each.fragmentCount)),
                () => (this.list = undefined),
            );
        }
        return this.list;
    }

    private ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
        const client = this.client();
        return client ? question(client) : Promise.reject(new Error("not connected"));
    }
}
