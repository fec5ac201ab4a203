/* Keys of the world page, in one table, which the help dialog shows. */

export interface KeyWishes {
    pause: () => void;
    step: () => void;
    restart: () => void;
    skill: (index: number) => void;
    next: (by: number) => void;
    follow: () => void;
    ball: () => void;
    push: (right: number, away: number) => void;
    show: (what: "contacts" | "pushes" | "names" | "shadows") => void;
    turn: (by: number) => void;
    zoom: (factor: number) => void;
    help: () => void;
    halt: () => void;
}

interface Key {
    keys: string[];
    text: string;
    act: (wishes: KeyWishes, key: string) => void;
}

export const KEYS: Key[] = [
    { keys: [" "], text: "pause, go on", act: (w) => w.pause() },
    { keys: ["."], text: "one step while paused", act: (w) => w.step() },
    { keys: ["r"], text: "restart from the mark", act: (w) => w.restart() },
    { keys: ["[", "]"], text: "select the character before, the next", act: (w, key) => w.next(key === "]" ? 1 : -1) },
    { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "perform a skill", act: (w, key) => w.skill(Number(key) - 1) },
    { keys: ["x"], text: "steer nowhere in particular", act: (w) => w.halt() },
    { keys: ["j", "l", "i", "k"], text: "push left, right, away, near", act: (w, key) => w.push(key === "j" ? -1 : key === "l" ? 1 : 0, key === "i" ? 1 : key === "k" ? -1 : 0) },
    { keys: ["b"], text: "throw a ball", act: (w) => w.ball() },
    { keys: ["f"], text: "follow with the camera", act: (w) => w.follow() },
    { keys: ["q", "e"], text: "turn the camera", act: (w, key) => w.turn(key === "q" ? 0.15 : -0.15) },
    { keys: ["+", "-"], text: "nearer, farther", act: (w, key) => w.zoom(key === "+" ? 0.88 : 1.14) },
    { keys: ["c"], text: "contacts", act: (w) => w.show("contacts") },
    { keys: ["p"], text: "pushes", act: (w) => w.show("pushes") },
    { keys: ["n"], text: "names", act: (w) => w.show("names") },
    { keys: ["h"], text: "shadows", act: (w) => w.show("shadows") },
    { keys: ["?"], text: "this list", act: (w) => w.help() },
];

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

    constructor(private readonly wishes: KeyWishes) {
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

    destroy(): void {
        window.removeEventListener("keydown", this.down);
        window.removeEventListener("keyup", this.up);
        window.removeEventListener("blur", this.away);
    }

    private press(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
        const key = event.key.toLowerCase();
        if (key in STEER_KEYS) {
            this.held.add(key);
            return event.preventDefault();
        }
        if (key === " " && target.closest("button, a")) return;
        const found = KEYS.find((each) => each.keys.includes(event.key) || each.keys.includes(key));
        if (found === undefined) return;
        event.preventDefault();
        found.act(this.wishes, key);
    }
}
