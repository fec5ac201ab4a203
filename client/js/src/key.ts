/* Keys: how a client shows who it is without showing its key; proto/key.h has the reasons. With M = HMAC-SHA-256, H = SHA-256:
 *
 *     C = M(k, "troupe client key" | s | NAME),   S = H(C),   P = C xor M(S, "troupe login" | n | NAME)        */
import { hmacSha256, joined, sha256 } from "./sha256.js";
import { KeyError } from "./status.js";

const SALT_SIZE = 16;
const SECRET_SIZE = 48;
const KEY = /^([a-z0-9-]{1,47})\.([A-Za-z0-9_-]{64})$/;

export interface Proof {
    keyName: string;
    keyProof: Uint8Array;
}

function decodeBase64Url(text: string): Uint8Array {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** key: NAME.SECRET as it was told once; challenge: the nonce of this connection. Throws a KeyError on what is no key. */
export function proveKey(key: string, challenge: Uint8Array): Proof {
    const parts = KEY.exec(key.trim());
    if (parts === null) throw new KeyError("not a key: expected NAME.SECRET, as it was told when it was made");
    const [, keyName, text] = parts as unknown as [string, string, string];
    const secret = decodeBase64Url(text);
    if (secret.length !== SECRET_SIZE) throw new KeyError("not a key: its secret has another length");
    const encode = (value: string) => new TextEncoder().encode(value);
    const name = encode(keyName);
    const clientKey = hmacSha256(secret.subarray(SALT_SIZE), joined(encode("troupe client key"), secret.subarray(0, SALT_SIZE), name));
    const mask = hmacSha256(sha256(clientKey), joined(encode("troupe login"), challenge, name));
    return { keyName, keyProof: clientKey.map((byte, i) => byte ^ mask[i]!) };
}
