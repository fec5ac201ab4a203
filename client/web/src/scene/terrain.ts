/* What is below a place: the floor at z = 0, or a solid that stands still. Solids are kept as triangles, sorted by the cells of a grid
 * over x and y, so that asking is cheap however many there are. Metres, world. */
import { Vector3, type BufferGeometry, type Matrix4 } from "three";

const SUNK_M = 0.3; // so far what stands there may be in the ground
const UPWARD = 0.05; // z of a face's normal, from which one can stand on it
const EDGE = 1e-6; // of a triangle: no gap beside the next one
const CELL_MIN_M = 0.1;
const CELLS_MAX = 1 << 18;

/** A place to stand on: a plane through it. */
export interface Foothold {
    height: number;
    /** Rise by metre along x and along y. */
    slopeX: number;
    slopeY: number;
}

export interface Solid {
    geometry: BufferGeometry;
    /** Where it is. */
    matrix: Matrix4;
}

export class Terrain {
    /** Whether there is a floor at z = 0. */
    floor = true;
    private corners: number[] = []; // [triangle][3][3]
    private low = [0, 0] as [number, number];
    private cell = 1;
    private columns = 0;
    private rows = 0;
    private first = new Int32Array(1); // [cell + 1] of triangles
    private triangles = new Int32Array(0);

    set(solids: readonly Solid[]): void {
        this.corners = solids.flatMap(facesUp);
        this.layGrid();
        const count = new Int32Array(this.columns * this.rows + 1);
        this.eachCell((cell) => count[cell + 1]!++);
        for (let i = 1; i < count.length; i++) count[i]! += count[i - 1]!;
        this.first = count.slice();
        this.triangles = new Int32Array(count.at(-1)!);
        this.eachCell((cell, triangle) => (this.triangles[count[cell]!++] = triangle));
    }

    /** out = the highest place at x, y that is not above z. False: there is none. */
    under(x: number, y: number, z: number, out: Foothold): boolean {
        out.height = this.floor ? 0 : -Infinity;
        out.slopeX = out.slopeY = 0;
        const column = Math.floor((x - this.low[0]) / this.cell);
        const row = Math.floor((y - this.low[1]) / this.cell);
        if (column >= 0 && row >= 0 && column < this.columns && row < this.rows) {
            const cell = row * this.columns + column;
            for (let i = this.first[cell]!; i < this.first[cell + 1]!; i++) this.raise(this.triangles[i]!, x, y, z + SUNK_M, out);
        }
        return out.height > -Infinity;
    }

    /** out = the triangle's plane, if it is there and higher. */
    private raise(triangle: number, x: number, y: number, most: number, out: Foothold): void {
        const at = (k: number) => this.corners[9 * triangle + k]!;
        const [ux, uy, uz] = [at(3) - at(0), at(4) - at(1), at(5) - at(2)];
        const [vx, vy, vz] = [at(6) - at(0), at(7) - at(1), at(8) - at(2)];
        const area = ux * vy - uy * vx; // positive: it faces up
        const [px, py] = [x - at(0), y - at(1)];
        const a = (px * vy - py * vx) / area;
        const b = (ux * py - uy * px) / area;
        if (a < -EDGE || b < -EDGE || a + b > 1 + EDGE) return;
        const height = at(2) + a * uz + b * vz;
        if (height <= out.height || height > most) return;
        out.height = height;
        out.slopeX = (uz * vy - vz * uy) / area;
        out.slopeY = (vz * ux - uz * vx) / area;
    }

    /** About two triangles a cell. */
    private layGrid(): void {
        const high = [-Infinity, -Infinity];
        this.low = [Infinity, Infinity];
        this.corners.forEach((value, k) => {
            if (k % 3 === 2) return;
            this.low[k % 3] = Math.min(this.low[k % 3]!, value);
            high[k % 3] = Math.max(high[k % 3]!, value);
        });
        const [wide, long] = [high[0]! - this.low[0], high[1]! - this.low[1]];
        const cells = Math.min(CELLS_MAX, this.corners.length / 18);
        this.cell = Math.max(CELL_MIN_M, Math.sqrt((wide * long) / Math.max(1, cells)), Math.max(wide, long) / CELLS_MAX);
        this.columns = this.corners.length === 0 ? 0 : Math.floor(wide / this.cell) + 1;
        this.rows = this.corners.length === 0 ? 0 : Math.floor(long / this.cell) + 1;
    }

    private eachCell(take: (cell: number, triangle: number) => void): void {
        const { corners } = this;
        const index = (triangle: number, axis: 0 | 1, choose: (...values: number[]) => number) =>
            Math.floor((choose(corners[9 * triangle + axis]!, corners[9 * triangle + 3 + axis]!, corners[9 * triangle + 6 + axis]!) - this.low[axis]) / this.cell);
        for (let triangle = 0; 9 * triangle < corners.length; triangle++) {
            const right = index(triangle, 0, Math.max);
            const top = index(triangle, 1, Math.max);
            for (let row = index(triangle, 1, Math.min); row <= top; row++)
                for (let column = index(triangle, 0, Math.min); column <= right; column++) take(row * this.columns + column, triangle);
        }
    }
}

/** [face][3][3] of a solid's triangles that one can stand on. */
function facesUp({ geometry, matrix }: Solid): number[] {
    const position = geometry.getAttribute("position");
    const index = geometry.getIndex();
    const count = index?.count ?? position.count;
    const out: number[] = [];
    const [a, b, c, normal] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    for (let i = 0; i < count; i += 3) {
        [a, b, c].forEach((corner, k) => corner.fromBufferAttribute(position, index ? index.getX(i + k) : i + k).applyMatrix4(matrix));
        normal.subVectors(b, a).cross(c.clone().sub(a)).normalize();
        if (normal.z > UPWARD) out.push(...a.toArray(), ...b.toArray(), ...c.toArray());
    }
    return out;
}
