import type { CollectionCounts } from "@longbox/collection/api";
import { t } from "@longbox/sdk/ui";
import { html, nothing } from "lit";

/** What the scan has found so far, or in the end. */
export function found(counts: CollectionCounts | undefined, { finished }: { readonly finished: boolean }) {
  const { all = 0, incomplete = 0, problems = 0 } = counts ?? {};
  if (all === 0) return finished ? t("found.noFilesWereFound") : t("found.readingTheFolder");
  if (!finished) return t("found.otherSoFar", { all });
  return html`<ul class="found">
    <li><strong>${t("found.other", { all })}</strong></li>
    ${incomplete > 0 ? html`<li><a href="/library?filter=incomplete">${t("found.other2", { incomplete })}</a></li>` : nothing}
    ${problems > 0 ? html`<li><a href="/library?filter=problems">${t("found.other3", { problems })}</a></li>` : nothing}
  </ul>`;
}
