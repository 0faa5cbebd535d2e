import { bytes, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Arrived } from "./fetching-file.js";

/** While a book is being opened: of a large one, how much has arrived, and a way back. */
export function openingMessage(arrived: Arrived | undefined, cancel: () => void): TemplateResult {
  return html`<div class="message">
    <div role="status"><h1>${t("opening.openingTheBook")}</h1></div>
    ${arrived ? arrivedPart(arrived, cancel) : nothing}
  </div>`;
}

function arrivedPart({ bytes: done, total }: Arrived, cancel: () => void): TemplateResult {
  return html`<progress
      aria-label=${t("opening.downloadOfTheBook")}
      max=${total ?? 1}
      value=${total === undefined ? nothing : done}
    ></progress>
    <p class="soft">
      ${total === undefined ? bytes(done) : t("opening.of", { done: bytes(done), total: bytes(total) })}
    </p>
    <button type="button" @click=${cancel}>${t("opening.cancel")}</button>`;
}
