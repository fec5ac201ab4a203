/* A page of the static site: the live page of one world that runs in the page itself. */
import { Client, type ClientDef } from "troupe-client";
import { LocalTransport } from "./local/transport.js";
import type { Order } from "./local/worker.js";
import { WORLD } from "./local/world.js";
import { LivePage } from "./pages/live.js";
import { Session } from "./session.js";
import { Knowledge } from "./state/knowledge.js";
import { h, setText } from "./ui/element.js";
import { schemeButton } from "./ui/scheme.js";
import { toastArea } from "./ui/toast.js";

const file = (name: string) => new URL(`world/${name}`, document.baseURI).href;
const files: Order = {
    library: file("troupe_world.js"),
    wasm: file("troupe_world.wasm.gz"),
    bundle: file("hero.troupe.gz"),
    catalogue: file("catalogue.bin.gz"),
    controller: "hero",
};

const bar = h("progress", { max: 1, value: 0, "aria-label": "Loading" });
const words = h("p", { role: "status" }, "Loading a character: 3 MB, once");
const loading = h("div", { class: "loading" }, h("h1", {}, "A character that balances"), h("p", { class: "lead" }, "It is simulated in this page, by muscles and contacts alone: nothing is played back, and no server helps."), bar, words);

const session = new Session(async (def: ClientDef) => Client.greet(await LocalTransport.open(files, (share) => (bar.value = share)), def));
const context = { session, knowledge: new Knowledge(() => session.client) };
const page = new LivePage(context, WORLD.name);

const home = h("a", { class: "brand", href: "../index.html" }, "Troupe");
const claim = h("span", { class: "claim" }, "Runs in your browser, without a server");
const how = h("a", { class: "how", href: "../index.html" }, "How it works");
document.getElementById("app")!.append(h("header", { class: "top" }, home, claim, how, schemeButton()), h("div", { class: "place" }, page.element, loading), toastArea());

session.link.watch((link) => {
    if (link.kind === "live") page.connected();
    loading.hidden = link.kind === "live";
    if (link.kind !== "live" && link.detail !== "Connecting") setText(words, link.detail);
});
