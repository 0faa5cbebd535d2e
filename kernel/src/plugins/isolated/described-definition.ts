import type { Migration, MigrationStep, PluginContext, PluginDefinition } from "@longbox/sdk";
import { z } from "zod";
import { knownChecksums } from "../../storage/engines/recorded-step.js";
import type { Description } from "./agreement.js";

/** What a definition does, elsewhere. */
export interface DefinedElsewhere {
  migrate(name: string, step: MigrationStep): Promise<void>;
  activate(given: Readonly<Record<string, unknown>>, context: PluginContext): Promise<void>;
  deactivate(): Promise<void>;
}

/** A definition from its description. */
export function describedDefinition(described: Description, elsewhere: DefinedElsewhere): PluginDefinition {
  const tokens = (ids: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, { kind: "contract", id, version: "*" } as const]),
    );
  return {
    requires: tokens(described.requires),
    optional: tokens(described.optional),
    settings: described.settings && settingsOf(described.settings),
    migrations: described.migrations.map((step) => migrationOf(step, elsewhere)),
    activate: (given, context) => elsewhere.activate(given, context as PluginContext),
    deactivate: () => elsewhere.deactivate(),
  };
}

/** The kernel's own schema of the settings. It has passed that no part of it is code. */
function settingsOf(shape: Record<string, unknown>): z.ZodType {
  return z.fromJSONSchema(shape as Parameters<typeof z.fromJSONSchema>[0]);
}

function migrationOf({ name, checksum }: Description["migrations"][number], elsewhere: DefinedElsewhere): Migration {
  const step: Migration = { name, up: (tools) => elsewhere.migrate(name, tools) };
  knownChecksums.set(step, checksum);
  return step;
}
