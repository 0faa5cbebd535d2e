import { base, buttons, type Drawing, headings, notice, notices, t } from "@longbox/sdk/ui";
import { html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";

/** Shown instead of the page when the server cannot be reached or the page's code cannot be loaded. */
@customElement("lb-unreachable")
export class Unreachable extends LitElement {
  @property() heading = t("unreachable.theServerCannotBe");
  /** What the button says. */
  @property() label = t("unreachable.tryAgain");
  @property({ attribute: false }) message = "";
  @property({ attribute: false }) retry: () => void = () => undefined;

  static override styles = [base, headings, buttons, notices];
  readonly #drawing: Drawing = "cloud";

  override render() {
    return html`${notice({
      heading: this.heading,
      text: this.message,
      drawing: this.#drawing,
      isProblem: true,
      isPage: true,
      action: { label: this.label, icon: "scan", run: this.retry },
    })}`;
  }
}
