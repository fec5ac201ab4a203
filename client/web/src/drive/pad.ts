/* A game pad, polled once a frame. Standard mapping: left stick steers, right stick turns the camera, A throws a ball, Start
 * pauses, the shoulders select. */

export interface PadActions {
    pause: () => void;
    ball: () => void;
    next: (by: number) => void;
    turn: (dx: number, dy: number) => void;
}

const DEAD = 0.2;
const BUTTON = { a: 0, left: 4, right: 5, start: 9 };

export class Pad {
    private pressed = new Set<number>();

    constructor(private readonly actions: PadActions) {}

    /** The left stick: right and away, each in [-1, 1]; zero within the dead zone. */
    poll(dtS: number): [number, number] {
        const pad = navigator.getGamepads?.().find((each) => each?.connected && each.mapping === "standard");
        if (!pad) return [0, 0];
        this.press(pad, BUTTON.start, this.actions.pause);
        this.press(pad, BUTTON.a, this.actions.ball);
        this.press(pad, BUTTON.left, () => this.actions.next(-1));
        this.press(pad, BUTTON.right, () => this.actions.next(1));
        const [lx = 0, ly = 0, rx = 0, ry = 0] = pad.axes;
        if (Math.hypot(rx, ry) > DEAD) this.actions.turn(rx * 2.4 * dtS, ry * 1.6 * dtS);
        return Math.hypot(lx, ly) > DEAD ? [lx, -ly] : [0, 0];
    }

    private press(pad: Gamepad, index: number, act: () => void): void {
        const down = pad.buttons[index]?.pressed ?? false;
        if (down && !this.pressed.has(index)) act();
        if (down) this.pressed.add(index);
        else this.pressed.delete(index);
    }
}
