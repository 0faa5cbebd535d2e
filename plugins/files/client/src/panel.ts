import { html, type nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { Doing } from "./doing.js";
import { messageOf } from "./wording.js";

/** A part of the page that shows one document and fetches it again whenever one of its domains changes. */
export abstract class Panel<T> extends Doing {
  @state() protected value: T | undefined;
  @state() private failure: string | undefined;
  #subscriptions: Array<{ release(): void | Promise<void> }> = [];
  #asked = 0;

  /** The path to fetch. */
  protected abstract path(): string;
  protected abstract readonly domains: readonly string[];
  protected abstract show(value: T): TemplateResult | typeof nothing;

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
      this.failure = undefined;
    } catch (fault) {
      if (asked === this.#asked) this.failure = messageOf(fault);
    }
  }

  protected override async attempt(work: () => Promise<unknown>): Promise<void> {
    await super.attempt(work);
    await this.refresh();
  }

  override render(): TemplateResult | typeof nothing {
    if (this.failure !== undefined && this.value === undefined) {
      return html`<p class="problem" role="alert">${this.failure} <button @click=${() => this.refresh()}>Try again</button></p>`;
    }
    if (this.value === undefined) return html`<p class="soft" role="status">One moment …</p>`;
    return this.show(this.value);
  }
}
