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

/** Why a plugin does not run, naming the plugins that it waits for by their titles; the kernel's reason otherwise. */
export function reasonOf(plugin: PluginRow, plugins: readonly PluginRow[]): string | undefined {
  if (plugin.state !== "unsatisfied") return plugin.reason;
  const missing = Object.keys(plugin.requires).map((id) => plugins.filter(({ provides }) => id in provides));
  const waited = missing.filter((providers) => providers.every(({ state }) => state !== "active"));
  const named = waited.flatMap((providers) => providers.slice(0, 1));
  // What no installed plugin offers, and a version that does not fit, only the kernel can explain.
  if (named.length === 0 || named.length < waited.length) return plugin.reason;
  const titles = [...new Set(named)].map(({ title, enabled }) =>
    enabled ? title : t("stopping.switchedOff", { title }),
  );
  return t("stopping.itStartsByItself", { titles: titles.join("; ") });
}
