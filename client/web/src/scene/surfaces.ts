/* Geometries of height fields and meshes, in metres, z up. */
import { BufferAttribute, BufferGeometry } from "three";
import type { HeightField, Mesh } from "troupe-client";

function geometryOf(position: Float32Array, index: Uint32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.computeVertexNormals();
    return geometry;
}

/** The middle of the grid is the origin; each cell is split from its lowest corner to its highest, as the physics splits it. */
export function heightFieldGeometry({ columns, rows, spacingM, heights }: HeightField): BufferGeometry {
    const position = new Float32Array(3 * heights.length);
    heights.forEach((height, k) => {
        position[3 * k] = ((k % columns) - (columns - 1) / 2) * spacingM;
        position[3 * k + 1] = (Math.floor(k / columns) - (rows - 1) / 2) * spacingM;
        position[3 * k + 2] = height;
    });
    const index = new Uint32Array(heights.length > 0 ? 6 * (columns - 1) * (rows - 1) : 0);
    let n = 0;
    for (let j = 0; n < index.length; j++)
        for (let i = 0; i + 1 < columns; i++) {
            const low = j * columns + i;
            for (const corner of [low, low + 1, low + columns + 1, low, low + columns + 1, low + columns]) index[n++] = corner;
        }
    return geometryOf(position, index);
}

export function meshGeometry({ vertices, indices }: Mesh): BufferGeometry {
    return geometryOf(Float32Array.from(vertices), Uint32Array.from(indices)).toNonIndexed();
}
