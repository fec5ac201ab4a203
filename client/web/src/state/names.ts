/** The wanted name, with a number behind it when it is taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
    let name = wanted;
    for (let i = 2; taken.includes(name); i++) name = `${wanted} ${i}`;
    return name;
}
