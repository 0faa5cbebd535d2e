import type { CollectionCounts } from "@longbox/collection/api";
import { count } from "@longbox/sdk/ui";
import { html, nothing } from "lit";

/** What the scan has found so far, or in the end. */
export function found(counts: CollectionCounts | undefined, { finished }: { readonly finished: boolean }) {
  const { all = 0, incomplete = 0, problems = 0 } = counts ?? {};
  if (all === 0)
    return finished ? "No files were found in that folder. Is it the right one?" : "Looking through the folder …";
  if (!finished) return `${count(all, "series", "series")} so far.`;
  return html`<ul class="found">
    <li><strong>${count(all, "series", "series")}.</strong></li>
    ${incomplete > 0 ? html`<li><a href="/library?filter=incomplete">${count(incomplete, "series lacks", "series lack")} some issues</a></li>` : nothing}
    ${problems > 0 ? html`<li><a href="/library?filter=problems">${count(problems, "series has", "series have")} files that cannot be read</a></li>` : nothing}
  </ul>`;
}
