/* A puppet: the latent space that it moves in, as a map. The frames of its clips are threads, those of mirror images dashed; a dot is where
 * the character is, with a trail. Axes: the two along which the space is widest. */
import type { CharacterState, ControllerDetail, MapPoint } from "troupe-client";
import { h, s } from "../element.js";
import type { DriverDrawing, DriverKind } from "./drawing.js";

const MARGIN = 10;
const HEIGHT = { share: 0.62, max: 260 };
const COLOURS = 6; // of style/drawings.css
const TRAIL = 40; // places

type Place = readonly [number, number];

/** The runs of points between beginnings. */
export function threadsOf(map: readonly MapPoint[]): MapPoint[][] {
    const threads: MapPoint[][] = [];
    for (const point of map) {
        if (point.begins || threads.length === 0) threads.push([]);
        threads.at(-1)!.push(point);
    }
    return threads;
}

/** Puts coordinates of a map on a picture: of equal scale on both axes, in the middle. */
export function scaleOf(map: readonly MapPoint[], width: number, height: number): (x: number, y: number) => Place {
    const [xs, ys] = [map.map(({ at }) => at!.x), map.map(({ at }) => at!.y)];
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
    return (x, y) => [width / 2 + (x - (left + right) / 2) * scale, height / 2 - (y - (low + high) / 2) * scale];
}

function pathOf(places: readonly Place[]): string {
    return places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

function draw({ map }: ControllerDetail, width: number): DriverDrawing {
    const height = Math.min(HEIGHT.max, width * HEIGHT.share);
    const scale = scaleOf(map, width, height);
    let motion = -1;
    const threads = threadsOf(map).map((thread) => {
        const { mirrored } = thread[0]!;
        if (!mirrored) motion++;
        const points = pathOf(thread.map(({ at }) => scale(at!.x, at!.y)));
        return s("polyline", { class: `clip c${Math.max(0, motion) % COLOURS}${mirrored ? " mirrored" : ""}`, points });
    });
    const trail = s("polyline", { class: "trail", points: "" });
    const dot = s("circle", { class: "here", r: 5, visibility: "hidden" });
    const label = `map of the latent space: ${threads.length} clips`;
    const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "latent-map", role: "img", "aria-label": label }, threads, trail, dot);
    let before: Place[] = [];
    const show = (state: CharacterState | undefined) => {
        const [x, y] = state?.mapAt ?? [];
        dot.setAttribute("visibility", x === undefined || y === undefined ? "hidden" : "visible");
        if (x === undefined || y === undefined) {
            before = [];
        } else {
            const here = scale(x, y);
            if (before.at(-1)?.join() !== here.join()) before = [...before, here].slice(-TRAIL);
            dot.setAttribute("cx", here[0].toFixed(1));
            dot.setAttribute("cy", here[1].toFixed(1));
        }
        trail.setAttribute("points", pathOf(before));
    };
    return { element: h("div", { class: "graph", tabindex: 0 }, drawing), show };
}

export const puppet: DriverKind = { title: "Where it is in its latent space", draws: ({ map }) => (map?.length ?? 0) > 1, folded: false, draw };
