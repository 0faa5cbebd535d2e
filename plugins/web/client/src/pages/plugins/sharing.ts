// Which isolated plugins share a process, as an administrator chooses it.
import type { PluginRow } from "@longbox/kernel/api";
import { field, submitted, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";

/** As the server takes it. */
const groupName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Whether a choice makes sense: a plugin under development never shares its process. */
export const canShare = ({ isolation, linked }: PluginRow) => isolation.mode === "process" && !linked;

/** What was typed, as the server takes it; null for a process of its own, undefined for what is no name of a group. */
export function groupOf(typed: string): string | null | undefined {
  const name = typed.trim().toLowerCase();
  if (name === "") return null;
  return groupName.test(name) ? name : undefined;
}

interface Sharing {
  readonly plugin: PluginRow;
  readonly plugins: readonly PluginRow[];
  readonly problem: string | undefined;
  cancel(): void;
  choose(typed: string): void;
}

/** Asks for the group of a plugin. Looks as `fields` says. */
export function sharingForm({ plugin, plugins, problem, cancel, choose }: Sharing): TemplateResult {
  const groups = groupsOf(plugins);
  return html`<form class="stack" novalidate @submit=${(event: Event) => choose(submitted(event)["group"] ?? "")}>
    <p>${t("sharing.text")}</p>
    ${groups.length === 0 ? nothing : html`<p>${t("sharing.groups", { groups: groups.join("; ") })}</p>`}
    ${field({ name: "group", label: t("sharing.group"), value: plugin.isolation.group ?? "", hint: t("sharing.hint"), problem })}
    <div class="row end">
      <button type="button" @click=${cancel}>${t("introduction.cancel")}</button>
      <button class="primary">${t("sharing.save")}</button>
    </div>
  </form>`;
}

/** Each group with its plugins: `pair (One, Two)`. */
function groupsOf(plugins: readonly PluginRow[]): string[] {
  const grouped = plugins.filter(({ isolation }) => isolation.group !== undefined);
  const groups = Map.groupBy(grouped, ({ isolation }) => isolation.group!);
  return [...groups].map(([group, members]) => `${group} (${members.map(({ title }) => title).join(", ")})`).toSorted();
}
