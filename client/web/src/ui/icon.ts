/* Icons: one path each, in a square of 24. */
import { s } from "./element.js";

const PATHS = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M6.5 5h3.6v14H6.5zM13.9 5h3.6v14h-3.6z",
    step: "M5 5v14l9.5-7zM16 5h3v14h-3z",
    record: "M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
    restart: "M12 5V1.8L6.8 6.2 12 10.6V7.4a5.3 5.3 0 1 1-5.2 6.4H4.4A7.7 7.7 0 1 0 12 5z",
    previous: "M6 5h2.6v14H6zM19 5v14l-9-7z",
    next: "M15.4 5H18v14h-2.6zM5 5v14l9-7z",
    picture: "M8.5 5 7 7H4a1.5 1.5 0 0 0-1.5 1.5v9A1.5 1.5 0 0 0 4 19h16a1.5 1.5 0 0 0 1.5-1.5v-9A1.5 1.5 0 0 0 20 7h-3l-1.5-2zM12 9a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
    film: "M3.5 6A1.5 1.5 0 0 1 5 4.5h9A1.5 1.5 0 0 1 15.5 6v3.8l5-3v10.4l-5-3V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z",
    follow: "M11 2h2v3.1A7 7 0 0 1 18.9 11H22v2h-3.1A7 7 0 0 1 13 18.9V22h-2v-3.1A7 7 0 0 1 5.1 13H2v-2h3.1A7 7 0 0 1 11 5.1zM12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
    chase: "M12 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.5 10.5h9l-1 6h-2V21h-3v-4.5h-2zM3 21l3.5-3.5V21zM21 21l-3.5-3.5V21z",
    side: "M10 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 10.5h4.5l1 4.5 3.5.500-.300 2-5-.500L10.5 14 12 21H9l-1.5-5zM17 5l4 3.5-4 3.5z",
    front: "M12 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7 10.5h10l-1.2 6h-2.3V21h-3v-4.5H8.2z",
    top: "M12 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM3 9.5a2.5 5 0 0 1 3.5 5A4 4 0 0 1 3 9.5zM21 9.5a2.5 5 0 0 0-3.5 5A4 4 0 0 0 21 9.5zM11 2h2v3.5h-2z",
    all: "M3 3h6v2H5v4H3zM15 3h6v6h-2V5h-4zM3 15h2v4h4v2H3zM19 15h2v6h-6v-2h4zM12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z",
    more: "M5 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm7 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm7 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
    done: "M9.5 17.5 4 12l1.8-1.8 3.7 3.7 8.7-8.7L20 7z",
    close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
    return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PATHS[name], "fill-rule": "evenodd" }));
}
