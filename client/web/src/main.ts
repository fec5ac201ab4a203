/* The page's frame: header, the page that the address names, the connection's state. */
import { connectWebSocket, Role } from "troupe-client";
import { Session, socketUrl, type Link } from "./session.js";
import { Knowledge } from "./state/knowledge.js";
import { CataloguePage } from "./pages/catalogue.js";
import { LivePage } from "./pages/live.js";
import { MatchPage } from "./pages/match.js";
import { MatchesPage } from "./pages/matches.js";
import type { Context, Page } from "./pages/page.js";
import { RecordingsPage } from "./pages/recordings.js";
import { ReplayPage } from "./pages/replay.js";
import { TrainingsPage } from "./pages/trainings.js";
import { WorldsPage } from "./pages/worlds.js";
import { askKey } from "./ui/dialog.js";
import { fill, h, setText } from "./ui/element.js";
import { schemeButton } from "./ui/scheme.js";
import { toastArea } from "./ui/toast.js";

const session = new Session((def) => connectWebSocket({ url: socketUrl(), ...def }));
const context: Context = { session, knowledge: new Knowledge(() => session.client) };
const app = document.getElementById("app")!;
const place = h("div", { class: "place" });
const status = h("span", { class: "status", role: "status" });

/** Tabs: the first part of the address, and its text. */
const TABS: [string, string][] = [["", "Worlds"], ["catalogue", "Catalogue"], ["trainings", "Trainings"], ["matches", "Matches"], ["recordings", "Recordings"]];
const tabs = h("nav", { class: "tabs", "aria-label": "Pages" }, TABS.map(([part, text]) => h("a", { href: `#/${part}`, "data-part": part }, text)));

app.append(h("header", { class: "top" }, h("a", { class: "brand", href: "#/" }, "Troupe"), tabs, status, schemeButton()), place, toastArea());

let page: Page | undefined;

function makePage(parts: string[], query: URLSearchParams): Page {
    const [first, second] = parts;
    if (first === "world" && second) return new LivePage(context, second);
    if (first === "catalogue") return new CataloguePage(context, second);
    if (first === "trainings") return new TrainingsPage(context);
    if (first === "recordings") return second ? new ReplayPage(context, second, Number(query.get("at")) || 0) : new RecordingsPage(context);
    if (first === "matches") return second ? new MatchPage(context, second) : new MatchesPage(context);
    return new WorldsPage(context);
}

/** A page that cannot be made says why: without WebGL no world can be drawn. */
function tryPage(make: () => Page): Page {
    try {
        return make();
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const advice = /WebGL/.test(reason) ? "This browser draws no 3D pictures: switch WebGL on, or use another browser." : reason;
        return { title: "Cannot be shown", element: h("main", { class: "page" }, h("h1", {}, "This page cannot be shown"), h("p", { class: "lead" }, advice)) };
    }
}

function route(): void {
    const [path = "", query] = location.hash.replace(/^#\/?/, "").split("?");
    const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
    page?.destroy?.();
    page = tryPage(() => makePage(parts, new URLSearchParams(query)));
    place.replaceChildren(page.element);
    document.title = `${page.title} · Troupe`;
    const part = parts[0] === "world" ? "" : (parts[0] ?? "");
    for (const tab of tabs.children) tab.ariaCurrent = (tab as HTMLElement).dataset.part === part ? "page" : null;
    tabs.querySelector("[aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" }); // a phone has no room for all
}

function showLink(link: Link): void {
    status.className = `status link-${link.kind}`;
    document.body.classList.toggle("spectator", link.kind === "live" && link.client.welcome.role === Role.SPECTATOR);
    setText(status, link.kind === "live" ? roleWords(link.client.welcome.role) : link.kind === "locked" ? "" : link.detail);
    status.title = link.kind === "live" ? `trouped ${link.client.welcome.serverVersion}` : "";
    if (link.kind === "live") page?.connected?.();
    if (link.kind === "locked") unlock(link.detail);
}

/** The dialog may be closed; the word "locked" opens it again. */
function unlock(reason: string): void {
    askKey(reason, (key) => session.unlock(key));
    fill(status, h("button", { class: "plain", onclick: () => unlock(reason) }, "locked"));
}

function roleWords(role: Role): string {
    const words: Partial<Record<Role, string>> = { [Role.SPECTATOR]: " as spectator", [Role.PLAYER]: " as player", [Role.DIRECTOR]: " as director" };
    return `connected${words[role] ?? ""}`;
}

performance.mark("script begins");
window.addEventListener("hashchange", route);
route();
session.link.watch(showLink);
