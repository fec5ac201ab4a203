/* The worker in which skins are made. */
import type { Plan } from "./plan.js";
import { skinOf } from "./skin.js";

export interface Order {
    plan: Plan;
    /** m */
    cell: number;
}

self.onmessage = ({ data: { plan, cell } }: MessageEvent<Order>) => {
    const skin = skinOf(plan, cell);
    self.postMessage(skin, { transfer: Object.values(skin).map((each) => each.buffer as ArrayBuffer) });
};
