import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

const keys = [
  [t("help.homeEnd"), t("help.theBeginningTheEnd")],
  ["T", t("help.contents")],
  [t("help.orCtrlF"), t("help.searchInTheBook")],
  ["N", t("help.notesAndHighlights")],
  ["A", t("help.appearance")],
  ["B", t("help.bookmark")],
  ["H", t("help.highlightTheSelectedText")],
  ["S", t("help.readAloudOrPause")],
  [t("help.plusAndMinus"), t("help.sizeOfTheText")],
  ["Backspace", t("help.backToWhereA")],
  ["F", t("help.fullScreen")],
  ["Escape", t("help.close")],
] as const;

/** @param rightToLeft - the direction in which the pages of the book follow each other */
export function helpPanel(rightToLeft: boolean): TemplateResult {
  const [onward, back] = rightToLeft ? ["←", "→"] : ["→", "←"];
  const turning = [
    [t("help.orPageDownOr", { arrow: onward }), t("help.theNextPage")],
    [t("help.orPageUp", { arrow: back }), t("help.thePageBefore")],
  ] as const;
  return html`<dl class="keys">
      ${[...turning, ...keys].map(
        ([key, does]) =>
          html`<dt>${key}</dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <p class="soft">${t("help.onATouchScreen")}</p>`;
}
