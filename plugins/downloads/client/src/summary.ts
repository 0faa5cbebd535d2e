import type { Queue } from "@longbox/downloads/api";
import { element, icon, LongboxElement, Resource, t } from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { style } from "./style.js";

const active = ["searching", "downloading", "grabbed", "importing"];

/** In the frame: how many downloads are under way; nothing while none is. */
@element("downloads-summary")
export class DownloadsSummary extends LongboxElement {
  static override styles = [style];
  readonly #queue = new Resource<Queue>(this, { path: "/api/queue?limit=1", domains: ["queue"], delayMs: 1_000 });

  override render(): unknown {
    const counts = this.#queue.value?.counts ?? {};
    const under = active.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
    if (under === 0) return nothing;
    return html`<a class="button quiet" href="/downloads" aria-label=${t("summary.downloadsUnderWay", { under })}>
      ${icon("download")} ${under}
    </a>`;
  }
}
