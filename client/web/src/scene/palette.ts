/* Colours of the scene, from the page's style sheet (so that one place holds both schemes), and of the cast. */
import { Color } from "three";

export interface Palette {
    sky: Color;
    zenith: Color;
    hill: Color;
    shade: Color;
    ground: Color;
    line: Color;
    lineStrong: Color;
    prop: Color;
    scenery: Color;
    contact: Color;
    push: Color;
    accent: Color;
    dark: boolean;
}

export function readPalette(): Palette {
    const probe = document.body.appendChild(document.createElement("i"));
    const read = (name: string) => {
        probe.style.color = `var(--scene-${name})`;
        return new Color(getComputedStyle(probe).color);
    };
    const palette = {
        sky: read("sky"),
        zenith: read("zenith"),
        hill: read("hill"),
        shade: read("shade"),
        ground: read("ground"),
        line: read("line"),
        lineStrong: read("line-strong"),
        prop: read("prop"),
        scenery: read("scenery"),
        contact: read("contact"),
        push: read("push"),
        accent: read("accent"),
    };
    probe.remove();
    return { ...palette, dark: palette.sky.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5 };
}

/** They differ in lightness too, for those who see few colours. */
const CAST = ["#e2913a", "#3f86c6", "#54a76a", "#b5679b", "#d9b83a", "#5b63b0", "#cf5f4d", "#4fb0ae"];

/** The colour of the index-th character, as CSS. */
export function castColor(index: number): string {
    return CAST[index % CAST.length]!;
}
