import { StatusCode } from "./messages/troupe/session_pb.js";

/** A request that the daemon refused: what was wrong and what was expected, in its own words. */
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

/** What was given as a key is none. */
export class KeyError extends Error {
    override readonly name = "KeyError";
}

/** The connection is gone: closed by this side, by the daemon (reason: its Goodbye), or lost. */
export class ClosedError extends Error {
    constructor(reason: string) {
        super(reason);
        this.name = "ClosedError";
    }
}
