import { html } from "lit";
import { customElement } from "lit/decorators.js";
import "../elements/states.js";
import { base, buttons, pages } from "../styles/index.js";
import { Page } from "./page.js";

/** An address that no page has, or none any more: its plugin may be switched off. */
@customElement("lb-not-found-page")
export class NotFoundPage extends Page {
  static override styles = [base, buttons, pages];

  override render() {
    return html`<lb-empty page heading="Nothing lives here">
      <p>There is no such page. If it belongs to a plugin, that plugin is switched off at the moment.</p>
      <a slot="action" class="button primary" href="/">Go home</a>
    </lb-empty>`;
  }
}

/** A page that the user's role does not open. */
@customElement("lb-forbidden-page")
export class ForbiddenPage extends Page {
  static override styles = [base, buttons, pages];

  override render() {
    return html`<lb-empty page heading="This is not for your role">
      <p>Ask whoever keeps this server if you need it.</p>
      <a slot="action" class="button primary" href="/">Go home</a>
    </lb-empty>`;
  }
}
