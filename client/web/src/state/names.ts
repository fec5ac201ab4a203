/** Which of the teams a character of a match is in, by its label, "red 2"; -1: none. */
export function teamIndex(label: string, teams: readonly string[]): number {
    return teams.indexOf(label.replace(/ \d+$/, ""));
}

/** The wanted name, with a number behind it when it is taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
    let name = wanted;
    for (let i = 2; taken.includes(name); i++) name = `${wanted} ${i}`;
    return name;
}
