/* Logins with keys: the example of RFC 7677, and daemons that do not know the key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Login } from "../dist/index.js";

const key = `user.${"A".repeat(64)}`;
const serverFirst = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
const serverFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
const make = (more = {}) =>
    new Login({ key, mechanisms: ["SCRAM-SHA-256"], nonce: "rOprNGfwEbeRWgbNEkqO", password: "pencil", ...more });

test("the example of RFC 7677", async () => {
    const login = make();
    assert.equal(login.first, "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
    assert.equal(
        await login.final(serverFirst),
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
    );
    login.check(serverFinal);
});

test("a daemon that does not know the key is found out", async () => {
    const login = make();
    assert.throws(() => login.check(serverFinal), /not shown/);
    await login.final(serverFirst);
    for (const final of ["", "v=", serverFinal.replace("6rri", "6rrj")]) assert.throws(() => login.check(final), /not shown/);
});

test("malformed server-first messages are refused", async () => {
    for (const text of ["", serverFirst.replace("rOp", "rOx"), serverFirst.replace("4096", "4095"), serverFirst.replace("W22Z", "W=2Z"),
        serverFirst.replace("4096", "1000001"), serverFirst.replace("%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", "")])
        await assert.rejects(make().final(text));
});

test("a login is bound to its TLS connection where both can", () => {
    const binding = new Uint8Array(32);
    const plus = ["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"];
    assert.match(make({ binding, mechanisms: plus }).first, /^p=tls-exporter,,n=user,/);
    assert.match(make({ binding }).first, /^y,,n=user,/);
    assert.match(make({ mechanisms: plus }).first, /^n,,n=user,/);
    assert.throws(() => make({ mechanisms: [] }), /older/);
});

test("what is no key is refused here", () => {
    for (const text of ["", "anna", "Anna.x", `anna.${"a".repeat(63)}`, `anna.${"a".repeat(65)}`, `${"a".repeat(48)}.${"a".repeat(64)}`])
        assert.throws(() => make({ key: text }), /not a key/);
});
