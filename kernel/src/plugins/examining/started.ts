import { LongboxError } from "@longbox/sdk";
import type { Blocked, Member } from "../installed/member.js";
import { isError, PluginMistakes, type Mistake } from "./mistakes.js";
import { sayMisfit } from "../contracts/extension-points.js";
import { missingRoutes } from "./named-routes.js";
import { examineRoutes } from "./routes.js";
import type { Registrations } from "../running/registrations.js";

/** A plugin imports, while it starts, what is neither in its package nor here. */
export const importMissing = "kernel/import-missing";

/** The errors of a start that only another version of the plugin can mend. */
const mistakenStarts = new Set([
  "kernel/bad-plugin-module",
  "kernel/capability-not-provided",
  importMissing,
  "kernel/migration-failed",
  "kernel/plugin-mistakes",
  "kernel/route-path",
  "kernel/route-twice",
  "kernel/undeclared-capability",
  "kernel/undeclared-contribution",
  "kernel/undeclared-domain",
  "kernel/undeclared-extension-point",
  "kernel/undeclared-host",
  "kernel/undeclared-permission",
  "kernel/undeclared-public-route",
  "kernel/undeclared-worker",
  "kernel/too-many-contributions",
]);

/**
 * The errors of a start that nothing but the server's own process would mend, which a plugin that asks to be isolated
 * does not get.
 */
const unfitForIsolation = new Set(["kernel/cannot-cross", "kernel/cannot-isolate"]);

/** The mistake of its author that the first start of a plugin has shown, or undefined. */
export async function mistakeOf({ plugin, blocked, running }: Member): Promise<LongboxError | undefined> {
  const asksForIsolation = plugin.manifest.isolation === "process";
  const isMistaken = (code: string) => mistakenStarts.has(code) || (asksForIsolation && unfitForIsolation.has(code));
  if (blocked?.code !== undefined && (isMistaken(blocked.code) || isKernelsRoute(blocked)))
    return new LongboxError("bad-input", blocked.code, blocked.reason, {
      ...(blocked.details as object | undefined),
      plugin: plugin.id,
    });
  if (running === undefined) return undefined;
  const mistakes = await mistakesOfStart(running.registrations);
  return mistakes.some(isError) ? new PluginMistakes(plugin.id, mistakes) : undefined;
}

/** The mistakes in what a plugin has registered once it has started. */
export async function mistakesOfStart(registrations: Registrations): Promise<Mistake[]> {
  return [...examineRoutes(registrations.routes), ...(await registrations.contributionMistakes())];
}

/** What the author should change of a plugin that runs. */
export function warningsOf({ plugin, running }: Member): Mistake[] {
  if (running === undefined) return [];
  const misfits = running.registrations.misfits.map((misfit): Mistake => {
    return { code: "contribution-unfit", message: sayMisfit(misfit), file: "package.json" };
  });
  return [...missingRoutes(plugin.manifest, running.registrations.routes), ...misfits];
}

/** What another plugin has may be free one day; what the server has never is. */
function isKernelsRoute({ code, details }: Blocked): boolean {
  if (code !== "kernel/route-taken" && code !== "kernel/route-overlaps") return false;
  return (details as { readonly owner?: unknown } | undefined)?.owner === "kernel";
}
