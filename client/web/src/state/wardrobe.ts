/* The meshes that models wear in this browser, kept until they are taken off: by model, the files as they were chosen. */

const STORE = "meshes";

export interface Worn {
    /** Of the .glb or .vrm file. */
    name: string;
    data: ArrayBuffer;
    /** The text of a joint map (.json), where one was given. */
    map?: string;
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error ?? new Error("the browser keeps no data"));
    });
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    const opening = indexedDB.open("troupe", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    return (await request(opening)).transaction(STORE, mode).objectStore(STORE);
}

/** undefined: the model wears its skin. */
export async function wornBy(model: string): Promise<Worn | undefined> {
    return request<Worn | undefined>((await store("readonly")).get(model));
}

export async function keep(model: string, worn: Worn | undefined): Promise<void> {
    const meshes = await store("readwrite");
    await (worn ? request(meshes.put(worn, model)) : request(meshes.delete(model)));
}
