import { messageOf } from "@longbox/sdk/ui";
import { type Api } from "./api.js";
import type { Notices } from "./notices.js";
import { Observable } from "./observable.js";

export interface ContributedNav {
  readonly label: string;
  readonly path: string;
  readonly icon?: string;
  readonly order: number;
  readonly permission?: string;
}

export interface ContributedPage {
  readonly path: string;
  readonly element: string;
  readonly title: string;
  readonly chrome: boolean;
  readonly permission?: string;
}

export interface ContributedSlot {
  readonly slot: string;
  readonly element: string;
  readonly order: number;
  readonly permission?: string;
}

/** The browser's part of one active plugin, as `GET /api/plugins/client` says it. Its addresses change with its bytes. */
export interface ClientPart {
  readonly name: string;
  readonly version: string;
  readonly js: string;
  readonly css?: string | null;
  readonly nav: readonly ContributedNav[];
  readonly pages: readonly ContributedPage[];
  readonly slots: readonly ContributedSlot[];
}

/** One element that a plugin wants shown in a slot. */
export interface SlotEntry {
  readonly part: ClientPart;
  readonly element: string;
}

/** What the active plugins add to the UI, now. */
export class Contributions {
  readonly parts = new Observable<readonly ClientPart[]>([]);
  /** Whether a plugin was replaced after its elements had been defined: a browser cannot define them twice, so the document must be loaded anew. */
  stale = false;
  readonly #api: Api;
  readonly #notices: Notices;
  readonly #imported = new Map<string, { readonly js: string; readonly done: Promise<unknown> }>();
  #asked = 0;

  constructor(api: Api, notices: Notices) {
    this.#api = api;
    this.#notices = notices;
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    const parts = await this.#api.call<readonly ClientPart[]>("/api/plugins/client");
    if (asked !== this.#asked) return;
    if (JSON.stringify(parts) !== JSON.stringify(this.parts.value)) this.#put(parts);
  }

  clear(): void {
    this.#asked += 1;
    this.#put([]);
  }

  inSlot(slot: string, may: (permission: string) => boolean): readonly SlotEntry[] {
    return this.parts.value
      .flatMap((part) => part.slots.filter((entry) => entry.slot === slot && allowed(entry, may)).map((entry) => ({ part, element: entry.element, order: entry.order })))
      .sort((a, b) => a.order - b.order || a.part.name.localeCompare(b.part.name));
  }

  /** Makes sure that the plugin's elements are defined. */
  async define(part: ClientPart, element: string): Promise<void> {
    const imported = this.#imported.get(part.name);
    const done = imported?.done ?? import(/* @vite-ignore */ part.js);
    if (!imported) this.#imported.set(part.name, { js: part.js, done });
    try {
      await done;
    } catch (thrown) {
      this.#imported.delete(part.name);
      throw new Error(`The plugin "${part.name}" could not be loaded: ${messageOf(thrown)}`, { cause: thrown });
    }
    if (!customElements.get(element)) throw new Error(`The plugin "${part.name}" does not define <${element}>.`);
  }

  #put(parts: readonly ClientPart[]): void {
    setStyles(parts);
    this.parts.set(parts);
    const replaced = parts.find((part) => (this.#imported.get(part.name)?.js ?? part.js) !== part.js);
    if (replaced) this.#sayStale(replaced);
  }

  #sayStale(part: ClientPart): void {
    if (this.stale) return;
    this.stale = true;
    this.#notices.add(`${part.name} was updated to ${part.version}.`, { action: { label: "Load it", run: () => location.reload() } });
  }
}

export function allowed(entry: { readonly permission?: string | undefined }, may: (permission: string) => boolean): boolean {
  return entry.permission === undefined || may(entry.permission);
}

/** Style sheets of the plugins, in the head, for as long as their plugin is active. */
function setStyles(parts: readonly ClientPart[]): void {
  const wanted = new Set(parts.flatMap((part) => part.css ?? []));
  for (const link of document.head.querySelectorAll<HTMLLinkElement>("link[data-plugin-style]")) {
    if (!wanted.delete(link.dataset.pluginStyle ?? "")) link.remove();
  }
  for (const address of wanted) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.dataset.pluginStyle = address;
    document.head.append(link);
  }
}
