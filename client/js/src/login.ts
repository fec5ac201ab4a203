/* Logins with keys: SCRAM-SHA-256 (RFC 5802, RFC 7677) and, over TLS in Node, SCRAM-SHA-256-PLUS; proto/scram.h has the equations.
 * Uses @noble/hashes, because crypto.subtle is missing in pages loaded without TLS. */
import { hmac } from "@noble/hashes/hmac";
import { pbkdf2Async } from "@noble/hashes/pbkdf2";
import { sha256 } from "@noble/hashes/sha2";
import { randomBytes } from "@noble/hashes/utils";
import { KeyError } from "./status.js";

const MECHANISM = "SCRAM-SHA-256";
const KEY = /^([a-z0-9-]{1,47})\.([A-Za-z0-9_-]{64})$/;
const SERVER_FIRST = /^r=([!-+\--~]+),s=([A-Za-z0-9+/]+={0,2}),i=([1-9][0-9]{3,6})(?:,.*)?$/;
const ITERATIONS_MIN = 4096;
const ITERATIONS_MAX = 1000000;

function encodeBase64(bytes: Uint8Array): string {
    return btoa(String.fromCharCode(...bytes));
}

function decodeBase64(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function encodeText(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

export interface LoginDef {
    /** NAME.SECRET, as printed by trouped --make-key. */
    key: string;
    /** From the daemon's Challenge. */
    mechanisms: readonly string[];
    /** Exported by this TLS connection (RFC 9266); undefined: no binding. */
    binding?: Uint8Array | undefined;
    /** For tests. */
    nonce?: string;
    password?: string;
}

/** One login: send `first` and the result of `final`, and pass the daemon's proof to `check`. */
export class Login {
    readonly first: string;
    private readonly header: string;
    private readonly bare: string;
    private readonly nonce: string;
    private readonly password: string;
    private readonly binding: Uint8Array;
    private signature: string | undefined;

    /** Throws a KeyError for an invalid key, an Error if the daemon does not offer this login. */
    constructor(def: LoginDef) {
        const [, name, secret] = KEY.exec(def.key.trim()) ?? [];
        if (name === undefined || secret === undefined)
            throw new KeyError("not a key: expected NAME.SECRET, as printed by trouped --make-key");
        if (!def.mechanisms.includes(MECHANISM))
            throw new Error(`the daemon does not offer ${MECHANISM}, the login of this client: it is older`);
        const offered = def.mechanisms.includes(`${MECHANISM}-PLUS`);
        this.header = def.binding === undefined ? "n,," : offered ? "p=tls-exporter,," : "y,,";
        this.binding = def.binding !== undefined && offered ? def.binding : new Uint8Array();
        this.nonce = def.nonce ?? encodeBase64(randomBytes(24));
        this.password = def.password ?? secret;
        this.bare = `n=${name},r=${this.nonce}`;
        this.first = this.header + this.bare;
    }

    /** client-final, for the daemon's server-first. */
    async final(serverFirst: string): Promise<string> {
        const [, nonce, salt, count] = SERVER_FIRST.exec(serverFirst) ?? [];
        const iterations = Number(count);
        if (nonce === undefined || salt === undefined || !nonce.startsWith(this.nonce) || nonce === this.nonce)
            throw new Error("the daemon's answer to the login is not SCRAM's server-first");
        if (iterations < ITERATIONS_MIN || iterations > ITERATIONS_MAX)
            throw new Error(`the daemon asks for ${iterations} iterations: expected ${ITERATIONS_MIN} to ${ITERATIONS_MAX}`);
        const salted = await pbkdf2Async(sha256, this.password, decodeBase64(salt), { c: iterations, dkLen: 32 });
        const clientKey = hmac(sha256, salted, "Client Key");
        const header = encodeText(this.header);
        const bare = `c=${encodeBase64(new Uint8Array([...header, ...this.binding]))},r=${nonce}`;
        const message = `${this.bare},${serverFirst},${bare}`;
        const pad = hmac(sha256, sha256(clientKey), message);
        this.signature = encodeBase64(hmac(sha256, hmac(sha256, salted, "Server Key"), message));
        return `${bare},p=${encodeBase64(clientKey.map((byte, i) => byte ^ pad[i]!))}`;
    }

    /** Throws an Error unless the daemon has proved that it knows the key. */
    check(serverFinal: string): void {
        if (this.signature === undefined || serverFinal !== `v=${this.signature}`)
            throw new Error("the daemon has not shown that it knows this key: it may be a different daemon");
    }
}
