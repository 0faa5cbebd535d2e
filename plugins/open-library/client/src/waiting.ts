import type { OpenLibraryState } from "@longbox/open-library/api";
import { element, LongboxElement, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { style } from "./style.js";

/** On the home page: that books wait for a person; nothing while none does. */
@element("open-library-waiting")
export class OpenLibraryWaiting extends LongboxElement {
  static override styles = style;
  readonly #state = new Resource<OpenLibraryState>(this, {
    path: "/api/open-library",
    domains: ["open-library"],
    delayMs: 2_000,
    arrived: ({ review = 0 }) => (this.hidden = review === 0),
  });

  /** It takes no place, not even the gap before it, until it is known that something waits. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.hidden = true;
  }

  override render(): TemplateResult | typeof nothing {
    const waiting = this.#state.value?.review ?? 0;
    if (waiting === 0) return nothing;
    return html`<section class="card row">
      <p>${t("waiting.booksCouldNotBe", { waiting })}</p>
      <a class="button" href="/open-library/review">${t("waiting.review")}</a>
    </section>`;
  }
}
