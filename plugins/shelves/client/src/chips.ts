import { icon, t } from "@longbox/sdk/ui";
import type { FacetList } from "@longbox/shelves/api";
import { html, nothing, type TemplateResult } from "lit";
import type { Address, Chosen } from "./address.js";
import { wordedFacet } from "./facet-words.js";

/** What is chosen, each with a link that takes it away, and one that takes all away. */
export function chips(address: Address, facets: FacetList | undefined): TemplateResult | typeof nothing {
  const { chosen } = address;
  if (chosen.length === 0) return nothing;
  return html`<ul class="chips" aria-label=${t("browser.chosen")}>
    ${chosen.map((one) => html`<li>${chip(one, address, facets)}</li>`)}
    <li><a class="button quiet" href=${address.cleared}>${t("browser.clearAll")}</a></li>
  </ul>`;
}

function chip({ facet, value, isExcluded }: Chosen, address: Address, facets: FacetList | undefined): TemplateResult {
  const found = facets?.find(({ name }) => name === facet);
  const known = found && wordedFacet(found);
  const label = known?.values.find((candidate) => candidate.value === value)?.label ?? value;
  const text = t("browser.chosenOne", { facet: known?.label ?? facet, label, excluded: isExcluded ? "yes" : "no" });
  return html`<a
    class="button chip"
    href=${address.with(facet, value, "free").href}
    aria-label=${t("browser.remove", { text })}
    >${text} ${icon("close")}</a
  >`;
}
