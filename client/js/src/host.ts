/* The other side of a Client: decodes its requests, encodes the answers. For a world that runs where the client does, and for
 * tests; the bytes go through whatever connects the two.
 *
 *     const host = new Host((bytes) => port.postMessage(bytes), (request) => ({ case: "pong", value: {} }));
 *     port.onmessage = ({ data }) => host.take(data);
 */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ClientMessageSchema, ServerMessageSchema, ResponseSchema, type ClientMessage, type Response } from "./messages/troupe/envelope_pb.js";
import { StatusCode } from "./messages/troupe/session_pb.js";
import { encodeFrame, FrameReader } from "./frame.js";
import { StatusError } from "./status.js";

/** A request as it arrives. */
export type Asked = Extract<ClientMessage["request"], { case: string }>;
/** A result as the field of Response; undefined: none beyond the code. */
export type Answer = MessageInitShape<typeof ResponseSchema>["result"];
/** What is sent unasked: { case: "state", value: {...} }. */
export type Told = NonNullable<MessageInitShape<typeof ServerMessageSchema>["message"]>;

export class Host {
    private readonly reader = new FrameReader();

    /** answer: throws a StatusError to refuse. */
    constructor(
        private readonly send: (bytes: Uint8Array) => void,
        private readonly answer: (request: Asked) => Answer,
    ) {}

    /** Bytes of the client. */
    take(bytes: Uint8Array): void {
        for (const frame of this.reader.push(bytes)) {
            const { requestId, request } = fromBinary(ClientMessageSchema, frame);
            this.tell({ case: "response", value: this.respond(requestId, request) });
        }
    }

    tell(message: Told): void {
        this.send(encodeFrame(toBinary(ServerMessageSchema, create(ServerMessageSchema, { message }))));
    }

    private respond(requestId: bigint, request: ClientMessage["request"]): Response {
        try {
            if (request.case === undefined) throw new StatusError(StatusCode.UNIMPLEMENTED, "unknown request");
            const result = this.answer(request);
            return create(ResponseSchema, { requestId, result: result ?? { case: undefined } });
        } catch (error) {
            const code = error instanceof StatusError ? error.code : StatusCode.INTERNAL;
            return create(ResponseSchema, { requestId, code, message: (error as Error).message });
        }
    }
}

/** The responses in a file of frames, which encodeResponses made. */
export function decodeResponses(bytes: Uint8Array): Response[] {
    const responses: Response[] = [];
    for (const frame of new FrameReader().push(bytes)) {
        const { message } = fromBinary(ServerMessageSchema, frame);
        if (message.case === "response") responses.push(message.value);
    }
    return responses;
}

export function encodeResponses(results: readonly Answer[]): Uint8Array {
    const frames: Uint8Array[] = [];
    const host = new Host((bytes) => frames.push(bytes), () => undefined);
    for (const result of results) if (result) host.tell({ case: "response", value: { result } });
    const bytes = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const frame of frames) {
        bytes.set(frame, at);
        at += frame.length;
    }
    return bytes;
}
