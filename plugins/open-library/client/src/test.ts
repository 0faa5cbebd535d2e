import { Action, element, LongboxElement, problem, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

interface TestSubject {
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Below the settings: asks Open Library with the values as they are typed. */
@element("open-library-test")
export class OpenLibraryTest extends LongboxElement<TestSubject> {
  static override styles = style;
  @state() private answer: { readonly ok: boolean; readonly message: string } | undefined;
  readonly #action = new Action(this);

  override render(): TemplateResult {
    const { answer } = this;
    return html`<div class="row">
      <button ?disabled=${this.#action.busy} @click=${this.#test}>${t("test.testTheConnection")}</button>
      <div role="status">
        ${answer === undefined ? nothing : answer.ok ? html`<p class="soft">${this.longbox.said(answer.message)}</p>` : problem(this.longbox.said(answer.message))}
        ${problem(this.#action.problem)}
      </div>
    </div>`;
  }

  readonly #test = (): void => {
    this.answer = undefined;
    void this.#action.run(async () => {
      this.answer = await this.post("/api/open-library/test", this.#values());
    });
  };

  #values(): Record<string, string> {
    const { baseUrl, contact } = this.subject.values ?? {};
    return {
      ...(typeof baseUrl === "string" && { baseUrl }),
      ...(typeof contact === "string" && { contact }),
    };
  }
}
