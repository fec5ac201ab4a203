/* Where the skills of a control graph stand: a tree that grows to the right from the skill with the most ways. Each skill hangs on the
 * one by which it is reached soonest; the other ways lead across the tree. Below it stand the skills that no way leads to: they begin after
 * a fall. */
import type { SkillGraph, Way } from "../../state/skill_graph.js";

const ROW = 26;
const MARGIN = 6;
const BEND = 22; // of a way across
const PILL = { high: 20, padding: 8, letter: 6.3, min: 34 };

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface Line {
    /** As in SVG, and the node at which it begins. */
    path: string;
    from: number;
    /** Those that lead along it, forward or back. */
    ways: number[];
    /** Not of the tree. */
    across: boolean;
}

export interface Layout {
    boxes: Box[];
    lines: Line[];
    height: number;
}

interface Branch {
    node: number;
    depth: number;
    children: Branch[];
}

/** The tree of those that ways lead to from the node with the most ways; `left`: the others. */
function grow({ nodes, ways }: SkillGraph): { root: Branch; left: number[] } {
    const degree = (node: number) => ways.filter(({ from, to }) => from === node || to === node).length;
    const first = nodes.map((_, i) => i).sort((a, b) => degree(b) - degree(a) || a - b)[0]!;
    const root: Branch = { node: first, depth: 0, children: [] };
    const seen = new Set([first]);
    for (const queue = [root]; queue.length > 0; ) {
        const branch = queue.shift()!;
        const next = ways.filter(({ from }) => from === branch.node).map(({ to }) => to);
        for (const node of [...new Set(next)].sort((a, b) => a - b)) {
            if (seen.has(node)) continue;
            seen.add(node);
            const child = { node, depth: branch.depth + 1, children: [] };
            branch.children.push(child);
            queue.push(child);
        }
    }
    return { root, left: nodes.map((_, i) => i).filter((i) => !seen.has(i)) };
}

function widthOf(name: string): number {
    return Math.max(PILL.min, 2 * PILL.padding + PILL.letter * name.length);
}

export function layOut(graph: SkillGraph, width: number): Layout {
    const { nodes } = graph;
    const { root, left } = grow(graph);
    const boxes: Box[] = [];
    const columns = columnsOf(root, nodes.map(({ name }) => widthOf(name)), width);
    let row = 0;
    const put = (node: number, column: number, at: number) => (boxes[node] = { x: columns[column]!, y: MARGIN + at * ROW + (ROW - PILL.high) / 2, width: widthOf(nodes[node]!.name), height: PILL.high });
    const place = ({ node, depth, children }: Branch): number => {
        const rows = children.map(place);
        const at = rows.length > 0 ? (rows[0]! + rows.at(-1)!) / 2 : row++;
        put(node, depth, at);
        return at;
    };
    place(root);
    for (const node of left) put(node, 0, row++);
    const lines = linesOf(graph.ways, boxes, root);
    const below = lines.some(({ across }) => across) ? BEND - MARGIN : 0;
    return { boxes, lines, height: 2 * MARGIN + row * ROW + below };
}

/** The left edge of each column: as far apart as there is room, at least as far as they are wide. */
function columnsOf(root: Branch, widths: number[], width: number): number[] {
    const widest: number[] = [];
    const walk = ({ node, depth, children }: Branch) => {
        widest[depth] = Math.max(widest[depth] ?? 0, widths[node]!);
        children.forEach(walk);
    };
    walk(root);
    const used = widest.reduce((sum, each) => sum + each, 0);
    const gap = Math.min(70, Math.max(14, (width - 2 * MARGIN - used) / Math.max(1, widest.length - 1)));
    return widest.map((_, i) => MARGIN + widest.slice(0, i).reduce((sum, each) => sum + each + gap, 0));
}

function linesOf(ways: Way[], boxes: Box[], root: Branch): Line[] {
    const parents = new Map<number, number>();
    const walk = ({ node, children }: Branch) => children.forEach((child) => (parents.set(child.node, node), walk(child)));
    walk(root);
    const lines = new Map<string, Line>();
    ways.forEach(({ from, to }, i) => {
        const [a, b] = parents.get(from) === to ? [to, from] : [from, to];
        const across = parents.get(b) !== a;
        const key = across ? `${from} ${to}` : `${a} ${b}`;
        const known = lines.get(key);
        if (known) known.ways.push(i);
        else lines.set(key, { path: across ? acrossPath(boxes[from]!, boxes[to]!) : branchPath(boxes[a]!, boxes[b]!), from: across ? from : a, ways: [i], across });
    });
    return [...lines.values()];
}

function branchPath(parent: Box, child: Box): string {
    const [x0, y0, x1, y1] = [parent.x + parent.width, parent.y + parent.height / 2, child.x, child.y + child.height / 2];
    const middle = (x0 + x1) / 2;
    return `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
}

/** Around the right sides of two that stand in one column; else below the one, to the underside of the other. */
function acrossPath(from: Box, to: Box): string {
    const column = Math.abs(from.x - to.x) < 1;
    if (column) {
        const [x0, y0, x1, y1] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
        const bend = Math.max(x0, x1) + BEND;
        return `M${x0} ${y0}C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}`;
    }
    const [x0, y0, x1, y1] = [from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y + to.height];
    return `M${x0} ${y0}C${x0} ${y0 + BEND} ${x1} ${y0 + BEND} ${x1} ${y1}`;
}
