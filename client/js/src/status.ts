import { StatusCode } from "./messages/troupe/session_pb.js";

/** A request that the daemon refused; the message says what was wrong and what was expected. */
export class StatusError extends Error {
    readonly code: StatusCode;

    constructor(code: StatusCode, message: string) {
        super(message || StatusCode[code] || `status ${code}`);
        this.name = "StatusError";
        this.code = code;
    }

    /** Such as "NOT_FOUND". */
    get codeName(): string {
        return StatusCode[this.code] ?? String(this.code);
    }
}

/** The given key is invalid. */
export class KeyError extends Error {
    override readonly name = "KeyError";
}

/** The connection has ended: closed by this side, by the daemon (reason: its Goodbye), or lost. */
export class ClosedError extends Error {
    constructor(reason: string) {
        super(reason);
        this.name = "ClosedError";
    }
}
