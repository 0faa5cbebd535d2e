import { types } from "node:util";
import type { PluginDefinition } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import { z } from "zod";
import { examineContracts } from "./contracts.js";
import { examineMigrations } from "./migrations.js";
import type { Mistake } from "./mistakes.js";
import { findTransformation } from "./schema-parts.js";
import { examineSettings } from "./settings.js";

/** What is examined of a plugin once its module has been loaded. */
export interface LoadedPlugin {
  readonly definition: PluginDefinition;
  readonly manifest: Manifest;
  /** The module, relative to the package. */
  readonly entry: string;
}

/** The mistakes of a definition that show without activating it: settings, migrations, contracts. */
export async function examineDefinition({ definition, manifest, entry }: LoadedPlugin): Promise<Mistake[]> {
  const found = [
    ...generators(definition),
    ...examineSettings(definition.settings),
    ...(await examineMigrations(definition.migrations)),
    ...examineContracts(definition, manifest),
    ...(manifest.isolation === "process" ? whatKeepsFromIsolation(definition, manifest) : []),
  ];
  return found.map((mistake) => ({ file: entry, ...mistake }));
}

/** Nothing of a generator runs before its values are asked for. */
function generators(definition: PluginDefinition): Mistake[] {
  return (["activate", "deactivate"] as const)
    .filter((field) => types.isGeneratorFunction(definition[field]))
    .map((field): Mistake => {
      return {
        code: "generator",
        message: `The field ${field} of definePlugin is a generator: write it without the star.`,
      };
    });
}

/** What a plugin cannot have that asks for a process of its own, as far as it shows before a start. */
function whatKeepsFromIsolation({ settings }: PluginDefinition, { workers }: Manifest): Mistake[] {
  const place = settings instanceof z.ZodType ? findTransformation(settings) : undefined;
  return [
    ...Object.keys(workers).map((name): Mistake => {
      const message = `The field longbox.isolation of package.json asks for a process of its own, in which the worker "${name}" of longbox.workers cannot run: do its work in the process itself.`;
      return { code: "cannot-isolate", message, file: "package.json" };
    }),
    ...(place === undefined ? [] : [transformed(place)]),
  ];
}

function transformed(place: string): Mistake {
  const message = `The field longbox.isolation of package.json asks for a process of its own, and the setting "${place}" has a transformation, which cannot cross to the server: transform the value where it is used.`;
  return { code: "cannot-isolate", message };
}
