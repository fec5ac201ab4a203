/* The space that a character moves in, as a map. The frames of its clips are threads, those of mirror images dashed; a dot is where
 * the character is, with a trail. Axes: the two along which the space is widest. The dot can be dragged: while a pointer holds it, the body
 * takes the pose of its place, and the policy rests. */
import type { CharacterState, ControllerDetail, MapPoint } from "troupe-client";
import { h, s } from "../element.js";
import type { DriverDrawing, DriverKind, SetValues } from "./drawing.js";

const MARGIN = 10;
const HEIGHT = { share: 0.62, max: 260 };
const COLOURS = 6; // of style/drawings.css
const TRAIL = 40; // places

type Place = readonly [number, number];

const NUDGES: Record<string, Place> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

/** The runs of points between beginnings. */
export function threadsOf(map: readonly MapPoint[]): MapPoint[][] {
    const threads: MapPoint[][] = [];
    for (const point of map) {
        if (point.begins || threads.length === 0) threads.push([]);
        threads.at(-1)!.push(point);
    }
    return threads;
}

/** How coordinates of a map lie on a picture: of equal scale on both axes, in the middle. */
export function layOut(map: readonly MapPoint[], width: number, height: number): { toPicture: (x: number, y: number) => Place; toMap: (x: number, y: number) => Place } {
    const [xs, ys] = [map.map(({ at }) => at!.x), map.map(({ at }) => at!.y)];
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [midX, midY] = [(left + right) / 2, (low + high) / 2];
    const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
    return {
        toPicture: (x, y) => [width / 2 + (x - midX) * scale, height / 2 - (y - midY) * scale],
        toMap: (x, y) => [midX + (x - width / 2) / scale, midY - (y - height / 2) / scale],
    };
}

function pathOf(places: readonly Place[]): string {
    return places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** Lets a pointer, or the arrow keys, hold the character's point; keys hold it until Escape. */
function holdBy(drawing: SVGSVGElement, toMap: (x: number, y: number) => Place, hereOnMap: () => Place | undefined, set: SetValues): void {
    let held: Place | undefined;
    const hold = (place: Place | undefined) => {
        const before = held;
        held = place;
        drawing.classList.toggle("held", held !== undefined);
        if (held) set({ ...(before ? {} : { map_hold: [1] }), map: [...held] });
        else if (before) set({ map_hold: [] });
    };
    const placeOf = ({ clientX, clientY }: PointerEvent): Place => {
        const box = drawing.getBoundingClientRect();
        const { width, height } = drawing.viewBox.baseVal;
        return toMap(((clientX - box.left) / box.width) * width, ((clientY - box.top) / box.height) * height);
    };
    drawing.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        drawing.setPointerCapture(event.pointerId);
        hold(placeOf(event));
    });
    drawing.addEventListener("pointermove", (event) => drawing.hasPointerCapture(event.pointerId) && hold(placeOf(event)));
    for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => hold(undefined));
    drawing.addEventListener("keydown", (event) => {
        const [dx, dy] = NUDGES[event.key] ?? [];
        const from = held ?? hereOnMap();
        if (event.key === "Escape" && held) hold(undefined);
        else if (dx === undefined || dy === undefined || from === undefined) return;
        else hold([from[0] + dx, from[1] + dy]);
        event.preventDefault();
        event.stopPropagation();
    });
}

function draw({ map, parameters }: ControllerDetail, width: number, set?: SetValues): DriverDrawing {
    const height = Math.min(HEIGHT.max, width * HEIGHT.share);
    const { toPicture, toMap } = layOut(map, width, height);
    let motion = -1;
    const threads = threadsOf(map).map((thread) => {
        const { mirrored } = thread[0]!;
        if (!mirrored) motion++;
        const points = pathOf(thread.map(({ at }) => toPicture(at!.x, at!.y)));
        return s("polyline", { class: `clip c${Math.max(0, motion) % COLOURS}${mirrored ? " mirrored" : ""}`, points });
    });
    const trail = s("polyline", { class: "trail", points: "" });
    const dot = s("circle", { class: "here", r: 5, visibility: "hidden" });
    const label = `map of the latent space: ${threads.length} clips`;
    const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "latent-map", role: "img", "aria-label": label }, threads, trail, dot);
    let before: Place[] = [];
    let onMap: Place | undefined;
    const canHold = set && parameters.some(({ name }) => name === "map_hold");
    if (canHold) {
        drawing.setAttribute("tabindex", "0");
        drawing.setAttribute("role", "application");
        drawing.classList.add("draggable");
        drawing.append(s("title", {}, "Drag the point, or move it with the arrow keys; Escape lets go"));
        holdBy(drawing, toMap, () => onMap, set);
    }
    const show = (state: CharacterState | undefined) => {
        const [x, y] = state?.mapAt ?? [];
        onMap = x === undefined || y === undefined ? undefined : [x, y];
        dot.setAttribute("visibility", x === undefined || y === undefined ? "hidden" : "visible");
        if (x === undefined || y === undefined) {
            before = [];
        } else {
            const here = toPicture(x, y);
            if (before.at(-1)?.join() !== here.join()) before = [...before, here].slice(-TRAIL);
            dot.setAttribute("cx", here[0].toFixed(1));
            dot.setAttribute("cy", here[1].toFixed(1));
        }
        trail.setAttribute("points", pathOf(before));
    };
    return { element: h("div", canHold ? { class: "graph" } : { class: "graph", tabindex: 0 }, drawing), show };
}

export const map: DriverKind = { title: "Where it is in its latent space", draws: ({ map }) => (map?.length ?? 0) > 1, folded: false, draw };
