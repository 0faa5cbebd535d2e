import { addressOf, isBelowBase, pathOf } from "@longbox/sdk/ui";
import { Observable } from "../observable.js";
import { matchPage, type PageDefinition, type PageMatch } from "./page-table.js";
import { ScrollMemory } from "./scroll-memory.js";

/** What the history keeps for each entry. */
interface Entry {
  readonly key: string;
  /** How many entries of Longbox come before this one. */
  readonly depth: number;
}

/** Maps addresses to pages, and handles links without reloading the document. Its URLs begin at the root of Longbox. */
export class Router {
  readonly match: Observable<PageMatch>;
  readonly #scroll = new ScrollMemory();
  #pages: readonly PageDefinition[];
  #entry: Entry;

  constructor(pages: readonly PageDefinition[]) {
    this.#pages = pages;
    this.match = new Observable(matchPage(shownUrl(), pages));
    this.#entry = entryOf(history.state) ?? { key: crypto.randomUUID?.() ?? String(Math.random()), depth: 0 };
    history.replaceState(this.#entry, "");
    window.addEventListener("popstate", (event) => this.#popped(event));
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Looks up the current address again, because plugins add and remove pages. */
  setPages(pages: readonly PageDefinition[]): void {
    this.#pages = pages;
    const next = matchPage(this.match.value.url, pages);
    if (next.page !== this.match.value.page) this.match.set(next);
  }

  /** @param path - also a whole address, such as the `href` of a link */
  navigate(path: string, options: { replace?: boolean } = {}): void {
    const url = this.#urlOf(path);
    if (url === undefined) return void location.assign(path);
    const shown = addressOf(url.pathname) + url.search + url.hash;
    if (url.pathname.startsWith("/api/")) return void location.assign(shown);
    if (url.href === shownUrl().href && !options.replace) return window.scrollTo({ top: 0 });
    if (options.replace) {
      history.replaceState(this.#entry, "", shown);
      this.match.set(matchPage(url, this.#pages));
      return;
    }
    this.#scroll.keep(this.#entry.key);
    this.#entry = { key: crypto.randomUUID?.() ?? String(Math.random()), depth: this.#entry.depth + 1 };
    history.pushState(this.#entry, "", shown);
    this.match.set(matchPage(url, this.#pages));
    window.scrollTo({ top: 0, behavior: "instant" });
  }

  back(fallback: string): void {
    if (this.#entry.depth > 0) history.back();
    else this.navigate(fallback, { replace: true });
  }

  /** Undefined where it leads to another server, or to another program of this host. */
  #urlOf(path: string): URL | undefined {
    if (!URL.canParse(path)) return new URL(path, this.match.value.url);
    const url = new URL(path);
    if (url.origin !== location.origin || !isBelowBase(url.pathname)) return undefined;
    return withinLongbox(url);
  }

  #popped(event: PopStateEvent): void {
    this.#scroll.keep(this.#entry.key);
    this.#entry = entryOf(event.state) ?? { key: String(Math.random()), depth: 0 };
    this.match.set(matchPage(shownUrl(), this.#pages));
    this.#scroll.restore(this.#entry.key);
  }

  #clicked(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event
      .composedPath()
      .find((target): target is HTMLAnchorElement => target instanceof HTMLAnchorElement);
    if (!link || link.target !== "" || link.hasAttribute("download")) return;
    const written = link.getAttribute("href") ?? "";
    // Who wrote it without the kit may have written a path.
    const isPath = written.startsWith("/") && !isBelowBase(link.pathname);
    const url = written.startsWith("#") ? undefined : this.#urlOf(isPath ? written : link.href);
    if (!url || url.pathname.startsWith("/api/") || url.pathname.startsWith("/plugins/")) return;
    event.preventDefault();
    this.navigate(link.href);
  }
}

const shownUrl = () => withinLongbox(new URL(location.href));

const withinLongbox = (url: URL) => new URL(pathOf(url) + url.search + url.hash, location.origin);

function entryOf(state: unknown): Entry | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const { key, depth } = state as Partial<Entry>;
  return typeof key === "string" && typeof depth === "number" ? { key, depth } : undefined;
}
