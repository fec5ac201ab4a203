/* Bodies in words: "rlarm" is the right lower arm. A name without a known pattern is not changed. */

const SIDES: Record<string, string> = { l: "left ", r: "right " };
const PARTS: Record<string, string> = {
    uarm: "upper arm", larm: "lower arm", hand: "hand", thigh: "thigh", shank: "shank", foot: "foot", toe: "toes", collar: "collarbone",
};
const WHOLE: Record<string, string> = { utorso: "upper torso", ltorso: "lower torso" };

export function bodyWords(name: string): string {
    const part = PARTS[name.slice(1)];
    const side = SIDES[name[0] ?? ""];
    return WHOLE[name] ?? (part && side ? side + part : name);
}
