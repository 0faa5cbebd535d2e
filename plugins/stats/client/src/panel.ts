import type { LongboxClient } from "@longbox/sdk/client";
import { LitElement } from "lit";
import { property, state } from "lit/decorators.js";
import type { Stats } from "./shapes.js";
import { messageOf } from "./wording.js";

/** The server counts at most once a minute, so what changed may only be in the numbers a minute later. */
const countedAgainMs = 61_000;

/** Holds the statistics, and fetches them again when the library changes. */
export abstract class StatsPanel extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() protected value: Stats | undefined;
  @state() protected problem: string | undefined;
  #subscription: { release(): void | Promise<void> } | undefined;
  #timer: number | undefined;
  #asked = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscription = this.longbox.onChanged("collection", () => this.#again());
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#subscription?.release();
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    this.problem = undefined;
    try {
      const value = await this.longbox.api<Stats>("/api/stats");
      if (asked === this.#asked) this.value = value;
    } catch (fault) {
      if (asked === this.#asked) this.problem = messageOf(fault);
    }
  }

  #again(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, countedAgainMs);
  }
}
