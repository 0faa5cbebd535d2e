import type { PluginDefinition } from "@longbox/sdk";
import { z } from "zod";
import { checksumOf } from "../../../storage/engines/recorded-step.js";
import type { Description } from "../agreement.js";
import { findTransformation } from "../../examining/schema-parts.js";
import { CannotIsolate } from "./refusals.js";

/** Says as data what a definition is. @throws {CannotIsolate} */
export async function describe(definition: PluginDefinition): Promise<Description> {
  const ids = (tokens: PluginDefinition["requires"]) =>
    Object.fromEntries(Object.entries(tokens).map(([name, { id }]) => [name, id]));
  const migrations = definition.migrations.map(async (step) => ({ name: step.name, checksum: await checksumOf(step) }));
  return {
    requires: ids(definition.requires),
    optional: ids(definition.optional),
    settings: describeSettings(definition.settings),
    migrations: await Promise.all(migrations),
  };
}

/**
 * The kernel reads settings by their JSON Schema, and asks this process about refinements. What a transformation makes
 * of a value, it could neither show nor store.
 */
function describeSettings(settings: z.ZodType | undefined): Record<string, unknown> | undefined {
  if (!settings) return undefined;
  const place = findTransformation(settings);
  if (place !== undefined)
    throw new CannotIsolate(
      `the setting "${place}" has a transformation, which is code; the kernel reads settings by their JSON Schema. Transform the value where it is used.`,
    );
  return z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
}
