import { locale, t } from "@longbox/sdk/ui";
import type { PluginRow } from "@longbox/kernel/api";

/** The id of this interface. */
export const ownId = "web";

/**
 * The running plugins that stop too when one is switched off: those that require what then no running plugin provides,
 * and those that require theirs.
 */
export function stoppingWith(plugin: PluginRow, plugins: readonly PluginRow[]): readonly PluginRow[] {
  const running = new Map(plugins.filter(({ state }) => state === "active").map((row) => [row.name, row]));
  running.delete(plugin.name);
  const stopping: PluginRow[] = [];
  for (let found = true; found;) {
    const provided = new Set([...running.values()].flatMap(({ provides }) => Object.keys(provides)));
    const lost = [...running.values()].filter(({ requires }) =>
      Object.keys(requires).some((id) => isLost(id, provided)),
    );
    for (const row of lost) running.delete(row.name);
    stopping.push(...lost);
    found = lost.length > 0;
  }
  return stopping;

  /** What the kernel itself provides is never lost. */
  function isLost(id: string, provided: ReadonlySet<string>): boolean {
    return !provided.has(id) && plugins.some(({ provides }) => id in provides);
  }
}

/** What is said before a plugin is switched off; undefined where nothing else stops. */
export function warningBefore(plugin: PluginRow, stopping: readonly PluginRow[]): string | undefined {
  const titles = new Intl.ListFormat(locale).format(stopping.map(({ title }) => title));
  const others = stopping.length === 0 ? "" : t("stopping.thesePluginsNeedIt", { titles });
  if (plugin.name !== ownId) return others || undefined;
  return [t("stopping.itShowsThisVery"), others].join(" ").trim();
}

/**
 * Why a plugin does not run, in words for people: the plugins that it waits for by their titles, what is not installed,
 * and what does not fit; the kernel's reason otherwise.
 */
export function reasonOf(plugin: PluginRow, plugins: readonly PluginRow[]): string | undefined {
  if (plugin.state !== "unsatisfied") return plugin.reason;
  const needs = Object.keys(plugin.requires).map((id) => ({
    id,
    providers: plugins.filter((row) => id in row.provides),
  }));
  const waited = needs.filter(({ providers }) => providers.every(({ state }) => state !== "active"));
  const present = waited.flatMap(({ providers }) => providers.slice(0, 1));
  const absent = waited.filter(({ providers }) => providers.length === 0).map(({ id }) => id);
  const sentences = [waitingFor(present), notInstalled(absent)].filter((sentence) => sentence !== "");
  return sentences.length === 0 ? (misfit(plugin, needs) ?? plugin.reason) : sentences.join(" ");
}

function waitingFor(rows: readonly PluginRow[]): string {
  const titles = [...new Set(rows)].map(({ title, enabled }) =>
    enabled ? title : t("stopping.switchedOff", { title }),
  );
  return titles.length === 0 ? "" : t("stopping.itStartsByItself", { titles: titles.join("; ") });
}

/** Contracts are named after the plugin that has them: `reader.pages` is the plugin Reader's. */
function notInstalled(ids: readonly string[]): string {
  const names = [...new Set(ids.map((id) => id.split(".")[0]!))];
  if (names.length === 0) return "";
  const list = new Intl.ListFormat(locale).format(names.map((name) => `“${name}”`));
  return t("stopping.notInstalled", { count: names.length, names: list });
}

interface Need {
  readonly id: string;
  readonly providers: readonly PluginRow[];
}

/** All that it needs runs; the kernel names what has another version than it needs. */
function misfit({ reason }: PluginRow, needs: readonly Need[]): string | undefined {
  const others = needs.filter(({ id }) => reason?.includes(`needs "${id}"`)).flatMap(({ providers }) => providers);
  const titles = [...new Set(others.map(({ title }) => title))];
  if (titles.length === 0) return undefined;
  return t("stopping.doesNotFit", { titles: new Intl.ListFormat(locale).format(titles) });
}
