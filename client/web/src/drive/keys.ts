/* Keys of the world page, in one table, which the help dialog shows. */
import type { Shown } from "../scene/stage.js";

/** What can be shown or not. */
export type Showable = keyof Shown | "names" | "numbers";

/** What keys can do; a page leaves out what it has no use for. */
export interface KeyActions {
    pause: () => void;
    step: () => void;
    restart: () => void;
    skill: (index: number) => void;
    next: (by: number) => void;
    follow: () => void;
    /** The camera's next view; the view of everybody. */
    view: () => void;
    all: () => void;
    ball: () => void;
    push: (right: number, away: number) => void;
    /** To the previous event of a recording, or the next. */
    event: (by: number) => void;
    show: (what: Showable) => void;
    turn: (around: number, up: number) => void;
    zoom: (factor: number) => void;
    help: () => void;
    halt: () => void;
}

interface Key {
    keys: string[];
    text: string;
    needs: keyof KeyActions;
    act: (actions: Partial<KeyActions>, key: string) => void;
}

const KEYS: Key[] = [
    { keys: [" "], text: "pause, resume", needs: "pause", act: (a) => a.pause?.() },
    { keys: ["."], text: "one step while paused", needs: "step", act: (a) => a.step?.() },
    { keys: ["r"], text: "restart", needs: "restart", act: (a) => a.restart?.() },
    { keys: ["<", ">"], text: "previous event, next event", needs: "event", act: (a, key) => a.event?.(key === ">" ? 1 : -1) },
    { keys: ["[", "]"], text: "previous character, next character", needs: "next", act: (a, key) => a.next?.(key === "]" ? 1 : -1) },
    { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "steer to a skill", needs: "skill", act: (a, key) => a.skill?.(Number(key) - 1) },
    { keys: ["x"], text: "stop steering", needs: "halt", act: (a) => a.halt?.() },
    { keys: ["j", "l", "i", "k"], text: "push left, right, away, near", needs: "push", act: (a, key) => a.push?.(key === "j" ? -1 : key === "l" ? 1 : 0, key === "i" ? 1 : key === "k" ? -1 : 0) },
    { keys: ["b"], text: "throw a ball", needs: "ball", act: (a) => a.ball?.() },
    { keys: ["f"], text: "camera: follow", needs: "follow", act: (a) => a.follow?.() },
    { keys: ["v"], text: "camera: next view", needs: "view", act: (a) => a.view?.() },
    { keys: ["z"], text: "camera: everybody", needs: "all", act: (a) => a.all?.() },
    { keys: ["q", "e"], text: "camera: turn", needs: "turn", act: (a, key) => a.turn?.(key === "q" ? 0.15 : -0.15, 0) },
    { keys: ["t", "g"], text: "camera: raise, lower", needs: "turn", act: (a, key) => a.turn?.(0, key === "t" ? 0.1 : -0.1) },
    { keys: ["+", "-"], text: "camera: nearer, farther", needs: "zoom", act: (a, key) => a.zoom?.(key === "+" ? 0.88 : 1.14) },
    { keys: ["c"], text: "show contacts", needs: "show", act: (a) => a.show?.("contacts") },
    { keys: ["p"], text: "show pushes", needs: "show", act: (a) => a.show?.("pushes") },
    { keys: ["n"], text: "show names", needs: "show", act: (a) => a.show?.("names") },
    { keys: ["m"], text: "show the shapes that are simulated", needs: "show", act: (a) => a.show?.("shapes") },
    { keys: ["h"], text: "show shadows", needs: "show", act: (a) => a.show?.("shadows") },
    { keys: ["o"], text: "show frame rate and delay", needs: "show", act: (a) => a.show?.("numbers") },
    { keys: ["?"], text: "this list", needs: "help", act: (a) => a.help?.() },
];

const SPOKEN: Record<string, string> = { " ": "space" };
const MANY = 4; // more keys than these are a range

/** Keys as they are printed, and what they do. */
export type KeyRow = [string[], string];

const STEER_KEYS: Record<string, [number, number]> = {
    arrowup: [0, 1], w: [0, 1],
    arrowdown: [0, -1], s: [0, -1],
    arrowleft: [-1, 0], a: [-1, 0],
    arrowright: [1, 0], d: [1, 0],
};

/** Listens until destroyed; keys typed into a field belong to the field. */
export class Keys {
    private readonly held = new Set<string>();
    private readonly down = (event: KeyboardEvent) => this.press(event);
    private readonly up = (event: KeyboardEvent) => this.held.delete(event.key.toLowerCase());
    private readonly away = () => this.held.clear();

    /** steers: arrow keys and WASD are for direction(). */
    constructor(
        private readonly actions: Partial<KeyActions>,
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

    /** What keys do on this page. */
    get rows(): KeyRow[] {
        const rows = KEYS.filter(({ needs }) => this.actions[needs] !== undefined).map(({ keys, text }): KeyRow => [
            keys.length > MANY ? [`${keys[0]} … ${keys.at(-1)}`] : keys.map((key) => SPOKEN[key] ?? key),
            text,
        ]);
        return this.steers ? [[["arrows", "WASD"], "steer the selected character"], ...rows] : rows;
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
        if (found === undefined || this.actions[found.needs] === undefined) return;
        event.preventDefault();
        found.act(this.actions, key);
    }
}
