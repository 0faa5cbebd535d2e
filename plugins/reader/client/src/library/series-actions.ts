import { element, LongboxElement, Resource } from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { icon } from "../chrome/icons.js";
import { issueLabel, type SeriesReading } from "../shapes.js";
import { actionStyle } from "./action-style.js";

/** Goes on with a series (`subject.series`). Shows nothing when there is nothing left to read. */
@element("reader-series-actions")
export class ReaderSeriesActions extends LongboxElement<{ readonly series?: { readonly id: number } }> {
  static override styles = actionStyle;
  readonly #reading = new Resource<SeriesReading>(this, { path: () => this.subject.series && `/api/reader/series/${this.subject.series.id}`, domains: ["reader", "collection"] });

  override render(): unknown {
    const { value, error } = this.#reading;
    // The page itself says what is wrong with the series.
    if (!value?.next || error !== undefined) return nothing;
    const { read, next } = value;
    return html`<a class="button primary" href="/read/${next.cvIssueId}">${icon("read")}${read > 0 || next.progress !== null ? "Continue" : "Start"} with ${issueLabel(next.number)}</a>`;
  }
}
