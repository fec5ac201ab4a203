/* TLS with a certificate of one's own, and a key inside it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { connectTcp, connectWebSocket, Role } from "../dist/node.js";
import { makeKey, program, startConfigured, waitFor } from "./daemon.js";

/** A certificate for this machine that vouches for itself. False: there is no openssl. */
function makeCertificate(dir) {
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const files = ["-keyout", join(dir, "daemon.key"), "-out", join(dir, "daemon.crt")];
    return spawnSync("openssl", ["req", "-x509", ...kind, ...name, ...files]).status === 0;
}

const dir = mkdtempSync(join(tmpdir(), "troupe-js-tls-"));
const skip = !program ? "TROUPED is not set" : !makeCertificate(dir) ? "openssl is not installed" : false;

describe("a daemon that speaks TLS", { skip }, () => {
    let daemon, ca, anna, url;
    before(async () => {
        anna = makeKey("anna", "director");
        ca = readFileSync(join(dir, "daemon.crt"), "utf8");
        const listen = `listen = { tls = true; certificate = "${dir}/daemon.crt"; private_key = "${dir}/daemon.key"; };`;
        const portFile = join(dir, "web-port");
        const web = ["--web-listen", "127.0.0.1:0", "--web-port-file", portFile, "--web-root", "none"];
        daemon = await startConfigured(`${listen}\nweb = { tls = true; };\nkeys = ( ${anna.line} );\n`, ...web);
        await waitFor(portFile, () => true, () => "");
        url = `wss://127.0.0.1:${readFileSync(portFile, "utf8").trim()}/socket`;
    });
    after(async () => {
        await daemon?.stop();
        rmSync(dir, { recursive: true, force: true });
    });

    test("lets in who trusts its certificate and holds a key", async () => {
        const client = await connectTcp({ port: daemon.port, key: anna.key, tls: { ca, serverName: "localhost" } });
        assert.equal(client.welcome.role, Role.DIRECTOR);
        assert.equal((await client.createWorld({ name: "mine" })).name, "mine");
        client.close();
    });

    test("is not trusted without its certificate, nor under another name", async () => {
        await assert.rejects(connectTcp({ port: daemon.port, key: anna.key, tls: true }), /self-signed/);
        await assert.rejects(connectTcp({ port: daemon.port, key: anna.key, tls: { ca, serverName: "elsewhere.example" } }), /altnames/);
    });

    test("does not answer who speaks without TLS", async () => {
        await assert.rejects(connectTcp({ port: daemon.port, key: anna.key }));
    });

    test("serves its web port with the same certificate", async () => {
        class Trusting extends WebSocket {
            constructor(address, protocols) {
                super(address, protocols, { ca });
            }
        }
        const client = await connectWebSocket({ url, key: anna.key, WebSocket: Trusting });
        assert.equal(client.welcome.role, Role.DIRECTOR);
        client.close();
        await assert.rejects(connectWebSocket({ url, key: anna.key, WebSocket }), /self-signed/);
        await assert.rejects(connectWebSocket({ url: url.replace("wss:", "ws:"), key: anna.key, WebSocket }));
    });
});
