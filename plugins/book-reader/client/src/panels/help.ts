import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

const keys = [
  [t("help.orPageDownOr"), t("help.theNextPage")],
  [t("help.orPageUp"), t("help.thePageBefore")],
  [t("help.homeEnd"), t("help.theBeginningTheEnd")],
  ["T", t("help.contents")],
  ["/ or Ctrl F", t("help.searchInTheBook")],
  ["N", t("help.notesAndHighlights")],
  ["A", t("help.appearance")],
  ["B", t("help.bookmark")],
  ["H", t("help.highlightTheSelectedText")],
  ["S", t("help.readAloudOrPause")],
  ["+ and −", t("help.sizeOfTheText")],
  ["Backspace", t("help.backToWhereA")],
  ["F", t("help.fullScreen")],
  ["Escape", t("help.close")],
] as const;

export function helpPanel(): TemplateResult {
  return html`<dl class="keys">
      ${keys.map(
        ([key, does]) =>
          html`<dt>${key}</dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <p class="soft">${t("help.onATouchScreen")}</p>`;
}
