import type { LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { messageOf } from "./wording.js";

/** A part of the page that shows one list and fetches it again whenever its domain changes. */
export abstract class Panel<T> extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() protected value: T | undefined;
  @state() private problem: string | undefined;
  @state() protected busy = false;
  #subscriptions: Array<{ release(): void | Promise<void> }> = [];
  #asked = 0;

  /** The path to fetch. */
  protected abstract path(): string;
  protected abstract readonly domains: readonly string[];
  protected abstract show(value: T): TemplateResult;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscriptions = this.domains.map((domain) => this.longbox.onChanged(domain, () => void this.refresh()));
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const subscription of this.#subscriptions) void subscription.release();
    this.#subscriptions = [];
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const value = await this.longbox.api<T>(this.path());
      if (asked !== this.#asked) return;
      this.value = value;
      this.problem = undefined;
    } catch (fault) {
      if (asked === this.#asked) this.problem = messageOf(fault);
    }
  }

  /** Does what a button says, and tells how it went. */
  protected async attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
    this.busy = true;
    try {
      await work();
      if (done) this.longbox.notify(done, { level: "success" });
    } catch (fault) {
      this.longbox.notify(messageOf(fault), { level: "danger" });
    } finally {
      this.busy = false;
      void this.refresh();
    }
  }

  override render(): TemplateResult {
    if (this.problem !== undefined && this.value === undefined) {
      return html`<p class="problem" role="alert">${this.problem} <button @click=${() => this.refresh()}>Try again</button></p>`;
    }
    if (this.value === undefined) return html`<p class="soft" role="status">One moment …</p>`;
    return this.show(this.value);
  }
}
