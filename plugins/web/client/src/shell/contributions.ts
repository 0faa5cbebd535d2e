import { addressOf, t } from "@longbox/sdk/ui";
import type { ClientPart } from "@longbox/kernel/api";
import type { ClientModule } from "@longbox/sdk/client";
import type { Toasts } from "@longbox/sdk/ui";
import { type Api } from "./api.js";
import { NotLoaded } from "./loading.js";
import { Observable } from "./observable.js";
import type { ReplaceableElements } from "./replaceable-elements.js";
import type { ServerTexts } from "./saying/server-texts.js";

export type ActivitySource = ClientPart["activity"][number];

/** One element that is shown in a slot: that of a plugin, or of the interface itself where `part` is undefined. */
export interface SlotEntry {
  readonly part: ClientPart | undefined;
  readonly element: string;
  readonly order: number;
  /** Its name where users arrange the parts of a page. */
  readonly title: string | undefined;
}

/** Names an entry. Does not depend on the script's address, so that an updated plugin keeps its places. */
export function keyOf({ part, element }: SlotEntry): string {
  return `${part?.name ?? "web"} ${element}`;
}

/** What the active plugins currently add to the UI. */
export class Contributions {
  readonly parts = new Observable<readonly ClientPart[]>([]);
  /**
   * Whether the server was asked, so that what comes after the parts of plugins can be shown and does not move any
   * more.
   */
  isListed = false;
  readonly #api: Api;
  #early: Promise<readonly ClientPart[]> | undefined;
  #loading = 0;
  readonly #toasts: Toasts;
  readonly #texts: ServerTexts;
  readonly #elements: ReplaceableElements;
  readonly #imported = new Map<string, { readonly js: string; readonly done: Promise<ClientModule> }>();
  /** Of each plugin whose code was asked for: the address that its elements come from. */
  readonly #codes = new Map<string, string>();
  #asked = 0;

  constructor(server: { api: Api; texts: ServerTexts }, toasts: Toasts, elements: ReplaceableElements) {
    this.#api = server.api;
    this.#texts = server.texts;
    this.#toasts = toasts;
    this.#elements = elements;
  }

  /** Asks for what {@link refresh} will show, before it is known who is signed in. */
  askEarly(): void {
    this.#early = this.#ask();
    // What was refused is asked again.
    this.#early.catch(() => undefined);
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    const early = this.#early;
    this.#early = undefined;
    try {
      const parts = await (early?.catch(() => this.#ask()) ?? this.#ask());
      if (asked !== this.#asked) return;
      const isOld = this.isListed && JSON.stringify(parts) === JSON.stringify(this.parts.value);
      this.isListed = true;
      if (!isOld) this.#put(parts);
    } catch (thrown) {
      if (asked === this.#asked && !this.isListed) {
        this.isListed = true;
        this.parts.set([]);
      }
      throw thrown;
    }
  }

  clear(): void {
    this.#asked += 1;
    this.#early = undefined;
    this.isListed = false;
    this.#put([]);
  }

  inSlot(slot: string, may: (permission: string) => boolean): readonly SlotEntry[] {
    return this.parts.value
      .flatMap((part) =>
        part.slots
          .filter((entry) => entry.slot === slot && allowed(entry, may))
          .map(({ element, order, title }) => ({ part, element, order, title })),
      )
      .sort((a, b) => a.order - b.order || a.part.name.localeCompare(b.part.name));
  }

  /** What tells of work under way and of news, in order. */
  activity(may: (permission: string) => boolean): readonly ActivitySource[] {
    return this.parts.value
      .flatMap(({ activity }) => activity.filter((source) => allowed(source, may)))
      .sort((one, other) => one.order - other.order);
  }

  /** Whether code of plugins is being loaded. */
  get isLoading(): boolean {
    return this.#loading > 0;
  }

  /** Makes sure that the plugin's elements are defined. */
  async define(part: ClientPart, element: string): Promise<void> {
    if (part.js === undefined) throw new Error(`The plugin "${part.name}" has no client code.`);
    const known = this.#imported.get(part.name);
    const imported = known?.js === part.js ? known : undefined;
    const done = imported?.done ?? (import(/* @vite-ignore */ addressOf(part.js)) as Promise<ClientModule>);
    if (!imported) this.#imported.set(part.name, { js: part.js, done });
    if (!this.#codes.has(part.name)) this.#codes.set(part.name, part.js);
    this.#loading += 1;
    try {
      await definedLazily(await done, element);
    } catch (thrown) {
      if (this.#imported.get(part.name)?.done === done) this.#imported.delete(part.name);
      throw new NotLoaded(t("contributions.aPartOfThe", { name: part.title }), { cause: thrown });
    } finally {
      this.#loading -= 1;
    }
    if (!customElements.get(element)) throw new Error(`The plugin "${part.name}" does not define <${element}>.`);
  }

  async #ask(): Promise<readonly ClientPart[]> {
    const asked = this.#api.call<readonly ClientPart[]>("/api/plugins/client");
    const [parts] = await Promise.all([asked, this.#texts.load()]);
    return parts.map((part) => this.#texts.part(part));
  }

  #put(parts: readonly ClientPart[]): void {
    setStyles(parts);
    for (const part of parts) this.#replace(part, parts);
    this.parts.set(parts);
  }

  /** Where its code has changed, its elements are defined once more by the new one, when they are next shown. */
  #replace(part: ClientPart, parts: readonly ClientPart[]): void {
    const [from, to] = [this.#codes.get(part.name), part.js];
    if (from === undefined || to === undefined || from === to) return;
    this.#codes.set(part.name, to);
    this.#elements.change({ from, to }, (name) => [part.name, undefined].includes(ownerOf(name, parts)));
    this.#toasts.add(t("contributions.wasUpdatedTo", { name: part.title, version: part.version }), {
      action: { label: t("contributions.loadIt"), run: () => location.reload() },
    });
  }
}

/** The plugin whose name an element's begins with. */
function ownerOf(element: string, parts: readonly ClientPart[]): string | undefined {
  const owners = parts.map(({ name }) => name).filter((name) => element.startsWith(`${name}-`));
  return owners.sort((a, b) => b.length - a.length)[0];
}

/** A plugin's module may leave elements to others of its own: see `lazyElements` of {@link ClientModule}. */
async function definedLazily(module: ClientModule, element: string): Promise<unknown> {
  return module.lazyElements?.[element]?.();
}

export function allowed(
  entry: { readonly permission?: string | undefined },
  may: (permission: string) => boolean,
): boolean {
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
    link.href = addressOf(address);
    link.dataset.pluginStyle = address;
    document.head.append(link);
  }
}
