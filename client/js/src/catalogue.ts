/* Lists of the catalogue, page after page. */
import type { Clip, ControllerSummary, ModelSummary, RunSummary } from "./messages/troupe/catalogue_pb.js";
import type { Client } from "./client.js";

const PAGE_SIZE = 256;

export interface Filter {
    /** Prefix of the names. */
    prefix?: string;
}

async function all<T>(page: (token: string) => Promise<{ items: T[]; token: string }>): Promise<T[]> {
    const items: T[] = [];
    let token = "";
    do {
        const next = await page(token);
        items.push(...next.items);
        token = next.token;
    } while (token !== "");
    return items;
}

export function controllers(client: Client, filter: Filter & { skill?: string; model?: string } = {}): Promise<ControllerSummary[]> {
    return all(async (token) => {
        const value = { ...filter, page: { size: PAGE_SIZE, token } };
        const list = await client.ask({ case: "listControllers", value }, "controllerList");
        return { items: list.controllers, token: list.nextPageToken };
    });
}

export function models(client: Client, filter: Filter = {}): Promise<ModelSummary[]> {
    return all(async (token) => {
        const value = { ...filter, page: { size: PAGE_SIZE, token } };
        const list = await client.ask({ case: "listModels", value }, "modelList");
        return { items: list.models, token: list.nextPageToken };
    });
}

export function clips(client: Client, filter: Filter & { skeleton?: string } = {}): Promise<Clip[]> {
    return all(async (token) => {
        const value = { ...filter, page: { size: PAGE_SIZE, token } };
        const list = await client.ask({ case: "listClips", value }, "clipList");
        return { items: list.clips, token: list.nextPageToken };
    });
}

export function runs(client: Client, filter: Filter = {}): Promise<RunSummary[]> {
    return all(async (token) => {
        const value = { ...filter, page: { size: PAGE_SIZE, token } };
        const list = await client.ask({ case: "listRuns", value }, "runList");
        return { items: list.runs, token: list.nextPageToken };
    });
}
