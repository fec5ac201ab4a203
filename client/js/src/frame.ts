/* Frames: varint(length) message[length] (PROTOCOL.md). TCP carries them as one stream; over WebSocket a binary
 * message has whole frames or pieces of them. The reader accepts both. */

/** Bytes of the largest frame that the daemon sends; a longer frame is refused before memory is taken for it. */
export const SERVER_FRAME_MAX = 4 * 1024 * 1024;

const PREFIX_MAX = 5;

/** A message with its length before it. */
export function encodeFrame(message: Uint8Array): Uint8Array {
    const prefix: number[] = [];
    let length = message.length;
    for (; length >= 0x80; length = Math.floor(length / 128)) prefix.push((length % 128) | 0x80);
    prefix.push(length);
    const frame = new Uint8Array(prefix.length + message.length);
    frame.set(prefix);
    frame.set(message, prefix.length);
    return frame;
}

/** Cuts a stream of bytes into messages. Throws a RangeError on a malformed prefix; nothing after it can be read. */
export class FrameReader {
    private pending = new Uint8Array(0);
    private readonly frameMax: number;

    constructor(frameMax = SERVER_FRAME_MAX) {
        this.frameMax = frameMax;
    }

    /** Returns the messages that these bytes complete. Each is a copy or a view that the caller may keep. */
    push(bytes: Uint8Array): Uint8Array[] {
        const data = this.joined(bytes);
        const messages: Uint8Array[] = [];
        let at = 0;
        for (;;) {
            const prefix = readPrefix(data, at);
            if (prefix === undefined) break;
            if (prefix.length > this.frameMax)
                throw new RangeError(`frame of ${prefix.length} bytes, at most ${this.frameMax} are allowed`);
            if (data.length - prefix.end < prefix.length) break;
            at = prefix.end + prefix.length;
            messages.push(data.subarray(prefix.end, at));
        }
        this.pending = data.slice(at);
        return messages;
    }

    private joined(bytes: Uint8Array): Uint8Array {
        if (this.pending.length === 0) return bytes;
        const data = new Uint8Array(this.pending.length + bytes.length);
        data.set(this.pending);
        data.set(bytes, this.pending.length);
        return data;
    }
}

function readPrefix(data: Uint8Array, at: number): { length: number; end: number } | undefined {
    let length = 0;
    for (let i = 0; i < PREFIX_MAX; i++) {
        const byte = data[at + i];
        if (byte === undefined) return undefined;
        length += (byte & 0x7f) * 2 ** (7 * i);
        if (byte < 0x80) return { length, end: at + i + 1 };
    }
    throw new RangeError("length prefix of more than five bytes");
}
