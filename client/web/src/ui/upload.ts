/* A file of the user, sent to the daemon in parts. */

const PART = 1 << 20;

export interface FilePart {
    offset: bigint;
    data: Uint8Array<ArrayBuffer>;
    last: boolean;
}

/** Each part after the answer to the one before. */
export async function sendFile(file: File, send: (part: FilePart) => Promise<void>): Promise<void> {
    for (let offset = 0; offset < file.size; offset += PART) {
        const data = new Uint8Array(await file.slice(offset, offset + PART).arrayBuffer());
        await send({ offset: BigInt(offset), data, last: offset + PART >= file.size });
    }
}
