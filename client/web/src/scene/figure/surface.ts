/* The surface of a field as triangles: naive surface nets (Gibson 1998). A vertex in each cell that the surface crosses, a
 * quadrilateral around each edge that it crosses; vertices are then moved on to the surface, so that coarse cells still give a smooth
 * figure. Blocks of cells far from the surface are skipped. */
import { distanceTo, FAR, near, normalAt, type Solid } from "./field.js";

export interface Surface {
    /** [vertex][3] */
    positions: Float32Array;
    /** [vertex][3], outward */
    normals: Float32Array;
    /** [triangle][3], counter-clockwise from outside */
    indices: Uint32Array;
}

const BLOCK = 5; // cells along an edge
const MARGIN_CELLS = 2;
const PROJECTIONS = 2;

type Three = [number, number, number];

interface Grid {
    solids: readonly Solid[];
    cell: number;
    low: Three;
    /** Cells along each axis; nodes are one more. */
    size: Three;
    /** Distances at the nodes; FAR where none was asked for. */
    nodes: Float32Array;
    /** Blocks that the surface may cross: the index of their first cell, and the solids near them. */
    blocks: Map<number, Solid[]>;
}

interface Vertices {
    positions: Float32Array;
    /** The solids near each. */
    near: Solid[][];
    /** Of each cell; -1: none. */
    byCell: Int32Array;
}

export function surfaceOf(solids: readonly Solid[], cell: number): Surface {
    const grid = layOut(solids, cell);
    sample(grid);
    const vertices = placeVertices(grid);
    const normals = settle(vertices, cell);
    return { positions: vertices.positions, normals, indices: joinFaces(grid, vertices.byCell) };
}

function layOut(solids: readonly Solid[], cell: number): Grid {
    const low: Three = [Infinity, Infinity, Infinity];
    const high: Three = [-Infinity, -Infinity, -Infinity];
    for (const { centre, radius } of solids)
        for (let k = 0; k < 3; k++) {
            low[k] = Math.min(low[k]!, centre[k]! - radius - MARGIN_CELLS * cell);
            high[k] = Math.max(high[k]!, centre[k]! + radius + MARGIN_CELLS * cell);
        }
    const size = low.map((each, k) => BLOCK * Math.ceil((high[k]! - each) / cell / BLOCK)) as Three;
    const nodes = new Float32Array((size[0] + 1) * (size[1] + 1) * (size[2] + 1)).fill(FAR);
    return { solids, cell, low, size, nodes, blocks: new Map() };
}

function nodeAt({ size }: Grid, i: number, j: number, k: number): number {
    return i + (size[0] + 1) * (j + (size[1] + 1) * k);
}

function cellAt({ size }: Grid, i: number, j: number, k: number): number {
    return i + size[0] * (j + size[1] * k);
}

/** Distances at the nodes of every block near the surface. */
function sample(grid: Grid): void {
    const { solids, cell, low, size, nodes } = grid;
    const half = (BLOCK * cell) / 2;
    const reach = half * Math.sqrt(3) + cell;
    eachBlock(size, (i, j, k) => {
        const [x, y, z] = [low[0] + i * cell + half, low[1] + j * cell + half, low[2] + k * cell + half];
        const there = near(solids, x, y, z, reach);
        if (there.length === 0 || Math.abs(distanceTo(there, x, y, z)) > reach) return;
        grid.blocks.set(cellAt(grid, i, j, k), there);
        for (let c = k; c <= k + BLOCK; c++)
            for (let b = j; b <= j + BLOCK; b++)
                for (let a = i; a <= i + BLOCK; a++) {
                    const at = nodeAt(grid, a, b, c);
                    if (nodes[at] === FAR) nodes[at] = distanceTo(there, low[0] + a * cell, low[1] + b * cell, low[2] + c * cell);
                }
    });
}

function eachBlock(size: Three, act: (i: number, j: number, k: number) => void): void {
    for (let k = 0; k < size[2]; k += BLOCK)
        for (let j = 0; j < size[1]; j += BLOCK) for (let i = 0; i < size[0]; i += BLOCK) act(i, j, k);
}

/** Calls with each cell of the blocks near the surface. */
function eachCell({ blocks, size }: Grid, act: (i: number, j: number, k: number, solids: Solid[]) => void): void {
    for (const [at, solids] of blocks) {
        const [i, j, k] = [at % size[0], Math.floor(at / size[0]) % size[1], Math.floor(at / (size[0] * size[1]))];
        for (let c = k; c < k + BLOCK; c++) for (let b = j; b < j + BLOCK; b++) for (let a = i; a < i + BLOCK; a++) act(a, b, c, solids);
    }
}

/** A vertex in each cell that is crossed, in the mean of the crossings of its edges. */
function placeVertices(grid: Grid): Vertices {
    const { cell, low, size, nodes } = grid;
    const byCell = new Int32Array(size[0] * size[1] * size[2]).fill(-1);
    const positions: number[] = [];
    const around: Solid[][] = [];
    const corner = new Float32Array(8);
    eachCell(grid, (i, j, k, solids) => {
        let inside = 0;
        for (let n = 0; n < 8; n++) {
            corner[n] = nodes[nodeAt(grid, i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2))]!;
            if (corner[n]! < 0) inside++;
        }
        if (inside === 0 || inside === 8) return;
        const mean = meanCrossing(corner);
        byCell[cellAt(grid, i, j, k)] = around.length;
        around.push(solids);
        positions.push(low[0] + (i + mean[0]) * cell, low[1] + (j + mean[1]) * cell, low[2] + (k + mean[2]) * cell);
    });
    return { positions: Float32Array.from(positions), near: around, byCell };
}

/** In a unit cell, from the distances at its corners. */
function meanCrossing(corner: Float32Array): Three {
    const sum: Three = [0, 0, 0];
    let count = 0;
    for (let n = 0; n < 8; n++)
        for (let axis = 0; axis < 3; axis++) {
            const m = n | (1 << axis);
            if (m === n || corner[n]! < 0 === corner[m]! < 0) continue;
            const share = corner[n]! / (corner[n]! - corner[m]!);
            for (let k = 0; k < 3; k++) sum[k]! += k === axis ? share : (n >> k) & 1;
            count++;
        }
    return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** Moves vertices on to the surface; returns its normals there. */
function settle({ positions, near: around }: Vertices, cell: number): Float32Array {
    const normals = new Float32Array(positions.length);
    const normal = [0, 0, 0];
    around.forEach((solids, n) => {
        const v = 3 * n;
        for (let round = 0; round <= PROJECTIONS; round++) {
            const [x, y, z] = [positions[v]!, positions[v + 1]!, positions[v + 2]!];
            normalAt(solids, x, y, z, normal);
            if (round === PROJECTIONS) break;
            const distance = Math.max(-cell, Math.min(cell, distanceTo(solids, x, y, z)));
            for (let k = 0; k < 3; k++) positions[v + k]! -= normal[k]! * distance;
        }
        normals.set(normal, v);
    });
    return normals;
}

/** Two triangles around each edge of the grid that the surface crosses. */
function joinFaces(grid: Grid, byCell: Int32Array): Uint32Array {
    const { nodes } = grid;
    const indices: number[] = [];
    const vertex = (i: number, j: number, k: number) => byCell[cellAt(grid, i, j, k)]!;
    eachCell(grid, (i, j, k) => {
        const inside = nodes[nodeAt(grid, i, j, k)]! < 0;
        for (let axis = 0; axis < 3; axis++) {
            const [x, y, z] = [0, 1, 2].map((n) => Number(n === axis)) as Three;
            if (inside === nodes[nodeAt(grid, i + x, j + y, k + z)]! < 0) continue;
            // The cells around the edge, counter-clockwise seen from its end: u, v and the axis are right-handed.
            const a = vertex(i, j, k);
            const b = vertex(i - z, j - x, k - y);
            const c = vertex(i - z - y, j - x - z, k - y - x);
            const d = vertex(i - y, j - z, k - x);
            if (inside) indices.push(a, b, c, a, c, d);
            else indices.push(a, c, b, a, d, c);
        }
    });
    return Uint32Array.from(indices);
}
