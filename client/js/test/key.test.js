import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { hmacSha256, sha256 } from "../dist/sha256.js";
import { proveKey } from "../dist/index.js";

test("SHA-256 and HMAC are those of the standard, at every length around a block", () => {
    for (let length = 0; length < 200; length++) {
        const data = randomBytes(length);
        assert.deepEqual(Buffer.from(sha256(data)), createHash("sha256").update(data).digest());
        const key = randomBytes(length);
        assert.deepEqual(Buffer.from(hmacSha256(key, data)), createHmac("sha256", key).update(data).digest());
    }
});

test("a proof satisfies the daemon's check, for its challenge alone", () => {
    const secret = randomBytes(48);
    const key = `anna.${secret.toString("base64url")}`;
    const challenge = randomBytes(32);
    const { keyName, keyProof } = proveKey(key, challenge);
    const M = (k, ...parts) => createHmac("sha256", k).update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
    const H = (data) => createHash("sha256").update(data).digest();
    const stored = H(M(secret.subarray(16), "troupe client key", secret.subarray(0, 16), "anna"));
    const check = (nonce) => {
        const mask = M(stored, "troupe login", nonce, "anna");
        return H(Buffer.from(keyProof.map((byte, i) => byte ^ mask[i]))).equals(stored);
    };
    assert.equal(keyName, "anna");
    assert.equal(check(challenge), true);
    assert.equal(check(randomBytes(32)), false);
});

test("what is no key is refused here", () => {
    for (const text of ["", "anna", "Anna.x", `anna.${"a".repeat(63)}`, `anna.${"a".repeat(65)}`, `${"a".repeat(48)}.${"a".repeat(64)}`])
        assert.throws(() => proveKey(text, new Uint8Array(32)), /not a key/);
});
