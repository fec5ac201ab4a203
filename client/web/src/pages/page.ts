import type { Session } from "../session.js";
import type { Knowledge } from "../state/knowledge.js";

/** What every page is given. */
export interface Context {
    session: Session;
    knowledge: Knowledge;
}

/** A page: what it shows, and what it leaves behind when another comes. */
export interface Page {
    element: HTMLElement;
    /** The name of its tab, for the title. */
    title: string;
    destroy?: () => void;
    /** The connection is there, again. */
    connected?: () => void;
}
