/* Keys of the world page, in one table, which the help dialog shows. */
import type { Shown } from "../scene/stage.js";

/** What can be shown or not. */
export type Showable = keyof Shown | "names";

export interface KeyWishes {
    pause: () => void;
    step: () => void;
    restart: () => void;
    skill: (index: number) => void;
    next: (by: number) => void;
    follow: () => void;
    ball: () => void;
    push: (right: number, away: number) => void;
    /** To the event before, or the one after, of a recording. */
    event: (by: number) => void;
    show: (what: Showable) => void;
    turn: (around: number, up: number) => void;
    zoom: (factor: number) => void;
    help: () => void;
    halt: () => void;
}

/** What a page makes of keys; those without a wish do nothing on it. */
type Wishes = Partial<KeyWishes>;

interface Key {
    keys: string[];
    text: string;
    needs: keyof KeyWishes;
    act: (wishes: Wishes, key: string) => void;
}

const KEYS: Key[] = [
    { keys: [" "], text: "pause, go on", needs: "pause", act: (w) => w.pause?.() },
    { keys: ["."], text: "one step while paused", needs: "step", act: (w) => w.step?.() },
    { keys: ["r"], text: "restart from the mark", needs: "restart", act: (w) => w.restart?.() },
    { keys: ["<", ">"], text: "to the event before, the next", needs: "event", act: (w, key) => w.event?.(key === ">" ? 1 : -1) },
    { keys: ["[", "]"], text: "select the character before, the next", needs: "next", act: (w, key) => w.next?.(key === "]" ? 1 : -1) },
    { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "perform a skill", needs: "skill", act: (w, key) => w.skill?.(Number(key) - 1) },
    { keys: ["x"], text: "steer nowhere in particular", needs: "halt", act: (w) => w.halt?.() },
    { keys: ["j", "l", "i", "k"], text: "push left, right, away, near", needs: "push", act: (w, key) => w.push?.(key === "j" ? -1 : key === "l" ? 1 : 0, key === "i" ? 1 : key === "k" ? -1 : 0) },
    { keys: ["b"], text: "throw a ball", needs: "ball", act: (w) => w.ball?.() },
    { keys: ["f"], text: "follow with the camera", needs: "follow", act: (w) => w.follow?.() },
    { keys: ["q", "e"], text: "turn the camera", needs: "turn", act: (w, key) => w.turn?.(key === "q" ? 0.15 : -0.15, 0) },
    { keys: ["t", "g"], text: "raise the camera, lower it", needs: "turn", act: (w, key) => w.turn?.(0, key === "t" ? 0.1 : -0.1) },
    { keys: ["+", "-"], text: "nearer, farther", needs: "zoom", act: (w, key) => w.zoom?.(key === "+" ? 0.88 : 1.14) },
    { keys: ["c"], text: "contacts", needs: "show", act: (w) => w.show?.("contacts") },
    { keys: ["p"], text: "pushes", needs: "show", act: (w) => w.show?.("pushes") },
    { keys: ["n"], text: "names", needs: "show", act: (w) => w.show?.("names") },
    { keys: ["m"], text: "the shapes that are simulated", needs: "show", act: (w) => w.show?.("shapes") },
    { keys: ["h"], text: "shadows", needs: "show", act: (w) => w.show?.("shadows") },
    { keys: ["?"], text: "this list", needs: "help", act: (w) => w.help?.() },
];

const SPOKEN: Record<string, string> = { " ": "space" };
const MANY = 4; // more keys than these are a range

/** Keys as they are written, and what they do. */
export type KeyRow = [string[], string];

const STEER_KEYS: Record<string, [number, number]> = {
    arrowup: [0, 1], w: [0, 1],
    arrowdown: [0, -1], s: [0, -1],
    arrowleft: [-1, 0], a: [-1, 0],
    arrowright: [1, 0], d: [1, 0],
};

/** Listens until destroyed; typing into a field is left alone. */
export class Keys {
    private readonly held = new Set<string>();
    private readonly down = (event: KeyboardEvent) => this.press(event);
    private readonly up = (event: KeyboardEvent) => this.held.delete(event.key.toLowerCase());
    private readonly away = () => this.held.clear();

    /** steers: the arrow keys and WASD are kept for direction(). */
    constructor(
        private readonly wishes: Wishes,
        private readonly steers: boolean,
    ) {
        window.addEventListener("keydown", this.down);
        window.addEventListener("keyup", this.up);
        window.addEventListener("blur", this.away);
    }

    /** The direction of the keys held: right and away on the screen, each in [-1, 1]. */
    direction(): [number, number] {
        let right = 0, away = 0;
        for (const key of this.held) {
            right += STEER_KEYS[key]![0];
            away += STEER_KEYS[key]![1];
        }
        return [Math.sign(right), Math.sign(away)];
    }

    /** What the keys do on this page. */
    get rows(): KeyRow[] {
        const rows = KEYS.filter(({ needs }) => this.wishes[needs] !== undefined).map(({ keys, text }): KeyRow => [
            keys.length > MANY ? [`${keys[0]} … ${keys.at(-1)}`] : keys.map((key) => SPOKEN[key] ?? key),
            text,
        ]);
        return this.steers ? [[["arrows", "WASD"], "steer the one selected"], ...rows] : rows;
    }

    destroy(): void {
        window.removeEventListener("keydown", this.down);
        window.removeEventListener("keyup", this.up);
        window.removeEventListener("blur", this.away);
    }

    private press(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
        const key = event.key.toLowerCase();
        if (this.steers && key in STEER_KEYS) {
            this.held.add(key);
            return event.preventDefault();
        }
        if (key === " " && target.closest("button, a")) return;
        const found = KEYS.find((each) => each.keys.includes(event.key) || each.keys.includes(key));
        if (found === undefined || this.wishes[found.needs] === undefined) return;
        event.preventDefault();
        found.act(this.wishes, key);
    }
}
