/* How finely to draw: as finely as the machine can. Too many slow frames bring one level down; a long time of quick frames brings one up
 * again, though only a few times, so that it does not oscillate. Times are arguments. */
import type { Detail } from "./cast.js";

export interface Level {
    /** Pixels drawn per CSS pixel, at most. */
    pixels: number;
    /** Texels along a side of the shadow map; 0: the sun casts none. */
    shadow: number;
    /** Of the characters' skins. */
    detail: Detail;
}

export const LEVELS: readonly Level[] = [
    { pixels: 2, shadow: 2048, detail: "fine" },
    { pixels: 1, shadow: 1024, detail: "fine" },
    { pixels: 0.75, shadow: 512, detail: "coarse" },
    { pixels: 0.5, shadow: 0, detail: "coarse" },
    { pixels: 0.5, shadow: 0, detail: "coarsest" },
];

const SLOW_MS = 55;
const SLOW_FRAMES = 10;
const EASY_MS = 20;
const EASY_FRAMES = 600;
const RISES_MAX = 2;
const AWAY_MS = 1500; // longer than any frame: the page was hidden

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
const SOFTWARE_LEVEL = 2;

export class Quality {
    level = 0;
    private slow = 0;
    private easy = 0;
    private rises = 0;

    /** renderer: what draws, in the words of WebGL. Where the processor draws, begins where it can keep up. */
    begin(renderer: string): void {
        this.level = SOFTWARE.test(renderer) ? SOFTWARE_LEVEL : 0;
    }

    /** Takes the time between two frames. True: the level has changed. */
    frame(intervalMs: number): boolean {
        if (intervalMs > AWAY_MS) return false;
        this.slow = intervalMs > SLOW_MS ? this.slow + 1 : Math.max(0, this.slow - 1);
        this.easy = intervalMs < EASY_MS ? this.easy + 1 : 0;
        if (this.slow >= SLOW_FRAMES && this.level < LEVELS.length - 1) return this.change(1);
        if (this.easy >= EASY_FRAMES && this.level > 0 && this.rises++ < RISES_MAX) return this.change(-1);
        return false;
    }

    get now(): Level {
        return LEVELS[this.level]!;
    }

    private change(by: number): boolean {
        this.level += by;
        this.slow = this.easy = 0;
        return true;
    }
}
