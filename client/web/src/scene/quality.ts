/* How finely to draw: as the machine can. From too many slow frames one level down; after long ease one up again, though not
 * for ever, lest it swings. Times are arguments. */

export interface Level {
    /** Pixels drawn per CSS pixel, at most. */
    pixels: number;
    /** Texels along a side of the shadow map; 0: no shadows. */
    shadow: number;
}

export const LEVELS: readonly Level[] = [
    { pixels: 2, shadow: 2048 },
    { pixels: 1, shadow: 1024 },
    { pixels: 0.75, shadow: 512 },
    { pixels: 0.5, shadow: 0 },
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

    /** renderer: what draws, in the words of WebGL. A processor that draws begins where it can keep up. */
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
