/* Files packed by gzip, from any host: some unpack them on the way, some do not. */

/** progress: the share that has arrived, where the host says how much there is. Throws an Error that names the file. */
export async function fetchPacked(url: string, progress: (share: number) => void): Promise<Uint8Array> {
    const response = await fetch(url);
    if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const size = Number(response.headers.get("content-length")) || 0;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let got = 0;
    for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        got += value.length;
        if (size > 0) progress(Math.min(1, got / size));
    }
    progress(1);
    return unpack(new Blob(parts));
}

async function unpack(file: Blob): Promise<Uint8Array> {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = first === 0x1f && second === 0x8b;
    const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
