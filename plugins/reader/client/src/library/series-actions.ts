import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { icon } from "../chrome/icons.js";
import { issueLabel, type SeriesReading } from "../shapes.js";
import { actionStyle } from "./action-style.js";
import { follow } from "./links.js";

/** Goes on with a series (`subject.series`). Shows nothing when there is nothing left to read. */
@customElement("reader-series-actions")
export class ReaderSeriesActions extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private reading: SeriesReading | undefined;
  #subscription: { release(): void | Promise<void> } | undefined;
  #asked = 0;

  static override styles = actionStyle;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#subscription?.release();
    this.#subscription = undefined;
  }

  override updated(changed: PropertyValues): void {
    if (!this.#subscription) this.#subscription = this.longbox.onChanged("reader", () => void this.#load());
    if (changed.has("subject")) void this.#load();
  }

  override render() {
    const next = this.reading?.next;
    if (!next) return nothing;
    const begun = (this.reading?.read ?? 0) > 0 || next.progress !== null;
    return html`<a class="strong" href="/read/${next.cvIssueId}" @click=${(event: MouseEvent) => follow(event, this.longbox)}>${icon("read")}${begun ? "Continue" : "Start"} with ${issueLabel(next.number)}</a>`;
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked;
    const series = this.subject["series"] as { id: number } | undefined;
    if (!series) return;
    try {
      const reading = await this.longbox.api<SeriesReading>(`/api/reader/series/${series.id}`);
      if (asked === this.#asked) this.reading = reading;
    } catch {
      // The page itself says what is wrong with the series.
      if (asked === this.#asked) this.reading = undefined;
    }
  }
}
