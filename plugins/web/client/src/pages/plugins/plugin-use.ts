// What a plugin has used since the server started, as a card of its page.
import type { PluginUse } from "@longbox/kernel/api";
import { bytes, number, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

/** Means tell more than sums: which plugin is slow, whatever it is asked. */
export function useCard(use: PluginUse): TemplateResult {
  const { requests, failures, requestSeconds, queries, querySeconds, memoryBytes } = use;
  const mean = (seconds: number, times: number) =>
    times === 0
      ? ""
      : ` · ${t("pluginUse.each", { milliseconds: number(Math.round((seconds / times) * 10_000) / 10) })}`;
  return html`<section class="card">
    <h2>${t("pluginUse.title")}</h2>
    <dl>
      <dt class="label">${t("pluginUse.requests")}</dt>
      <dd>${number(requests)}${mean(requestSeconds, requests)}</dd>
      <dt class="label">${t("pluginUse.failures")}</dt>
      <dd>${number(failures)}</dd>
      <dt class="label">${t("pluginUse.queries")}</dt>
      <dd>${number(queries)}${mean(querySeconds, queries)}</dd>
      ${
        memoryBytes === undefined
          ? ""
          : html`<dt class="label">${t("pluginUse.memory")}</dt>
              <dd>${bytes(memoryBytes)}</dd>`
      }
    </dl>
  </section>`;
}
