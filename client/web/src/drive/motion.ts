/* How fast the selected character moves, from where it is drawn: a ball is thrown at where it will be. */
import type { Drawn } from "../scene/cast.js";

const SMOOTHING_S = 0.25;

export class Motion {
    readonly velocity = { x: 0, y: 0, z: 0 };
    private entity = 0;
    private x = 0;
    private y = 0;

    update(drawn: Drawn | undefined, dtS: number): void {
        if (drawn === undefined || dtS <= 0) return;
        const [x, y] = [drawn.pos[0]!, drawn.pos[1]!];
        const same = drawn.state.entity === this.entity && Math.hypot(x - this.x, y - this.y) < 1;
        const share = same ? Math.min(1, dtS / SMOOTHING_S) : 1;
        this.velocity.x += ((same ? (x - this.x) / dtS : 0) - this.velocity.x) * share;
        this.velocity.y += ((same ? (y - this.y) / dtS : 0) - this.velocity.y) * share;
        this.entity = drawn.state.entity;
        this.x = x;
        this.y = y;
    }
}
