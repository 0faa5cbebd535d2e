import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

/** A page could not be shown. A press on the button is no tap on the page. */
export function troubleNotice(problem: string, again: () => void): TemplateResult {
  const stop = (event: Event) => event.stopPropagation();
  return html`<div class="page-notice" role="alert">
    <p>${problem}</p>
    <button type="button" @pointerdown=${stop} @click=${() => again()}>${t("stageNotices.tryAgain")}</button>
  </div>`;
}

export function waitingNotice(): TemplateResult {
  return html`<div class="page-notice" role="status" aria-label=${t("stageNotices.loadingThePage")}>
    <div class="spinner"></div>
  </div>`;
}
