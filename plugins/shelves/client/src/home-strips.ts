import {
  Badges,
  cards,
  covers,
  element,
  LongboxElement,
  Resource,
  shelf,
  shelfSkeleton,
  standard,
  t,
  walls,
} from "@longbox/sdk/ui";
import type { Recommended, Strip } from "@longbox/shelves/api";
import { css, html, nothing, type TemplateResult } from "lit";
import { Address } from "./address.js";
import { itemCard } from "./cards.js";

const countKey = "longbox.shelves-strips";

interface Strips {
  readonly kept: readonly Strip[];
  readonly because: readonly Recommended[];
}

/** On the home page: the shelves that the user keeps there, and what is like something that was read. */
@element("shelves-home-strips")
export class ShelvesHomeStrips extends LongboxElement {
  static override styles = [
    standard,
    walls,
    cards,
    covers,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-6);
      }
      /*
       * Without anything to show it takes no place, not even the gap before it. The home page measures where it ends.
       */
      :host([empty]) {
        margin-top: calc(-1 * var(--lb-space-6));
      }
    `,
  ];
  readonly #badges = new Badges(this, "issue");
  readonly #strips = new Resource<Strips>(this, {
    path: "/api/shelves/strips",
    domains: ["shelves"],
    delayMs: 500,
    fetch: (path, signal) => this.#load(path, signal),
    arrived: ({ kept, because }) => {
      const shown = kept.filter(({ items }) => items.length > 0).length + because.length;
      localStorage.setItem(countKey, String(shown));
      this.toggleAttribute("empty", shown === 0);
    },
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.toggleAttribute("empty", shownLastTime() === 0);
  }

  override render(): unknown {
    return this.#strips.render((strips) => this.#shown(strips), {
      // As many as there were last time, so that nothing below moves when they are loaded.
      waiting: Array.from({ length: shownLastTime() }, () => shelfSkeleton()),
      failed: (message) => html`<p class="soft" role="status">${t("homeStrips.theShelvesCouldNot", { message })}</p>`,
    });
  }

  #shown({ kept, because }: Strips): TemplateResult {
    return html`${kept.map((strip) => (strip.items.length === 0 ? nothing : this.#kept(strip)))}
    ${because.map((reason) => this.#because(reason))}`;
  }

  #kept({ shelf: { name, ...rest }, items }: Strip): TemplateResult {
    return shelf({
      heading: name,
      href: Address.of({ name, ...rest }).href,
      cards: items.map((item) => itemCard(item, this.#badges.of(item.id).badges)),
    });
  }

  /** Each cover says what it shares with what was read. */
  #because({ because, items }: Recommended): TemplateResult {
    return shelf({
      heading: t("homeStrips.becauseYouRead", { series: because.series }),
      cards: items.map((item) => itemCard(item, this.#badges.of(item.id).badges, item.reason)),
    });
  }

  async #load(path: string, signal: AbortSignal): Promise<Strips> {
    const [kept, because] = await Promise.all([
      this.longbox.api<readonly Strip[]>(path, { signal }),
      this.longbox.api<readonly Recommended[]>("/api/shelves/because", { signal }),
    ]);
    return { kept, because };
  }
}

function shownLastTime(): number {
  return Number(localStorage.getItem(countKey) ?? 0);
}
