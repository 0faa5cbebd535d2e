import type { Migration, PluginDefinition } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import { z } from "zod";
import { findTransformation } from "../isolated/child/schema-rules.js";
import type { Mistake } from "./mistakes.js";

/** What is examined of a plugin once its module has been loaded. */
export interface LoadedPlugin {
  readonly definition: PluginDefinition;
  readonly manifest: Manifest;
  /** The module, relative to the package. */
  readonly entry: string;
}

/** The mistakes of a definition that show without activating it: settings, migrations, contracts. */
export function examineDefinition({ definition, manifest, entry }: LoadedPlugin): Mistake[] {
  const found = [
    ...examineSettings(definition.settings),
    ...examineMigrations(definition.migrations),
    ...unusedContracts(definition, manifest),
    ...(manifest.isolation === "process" ? whatKeepsFromIsolation(definition, manifest) : []),
  ];
  return found.map((mistake) => ({ file: entry, ...mistake }));
}

function examineSettings(settings: z.ZodType | undefined): Mistake[] {
  if (settings === undefined) return [];
  const noSchema = fieldWithoutSchema(settings);
  if (noSchema !== undefined)
    return [
      { code: "settings-unusable", message: `The setting "${noSchema}" is no schema of zod, such as z.string().` },
    ];
  try {
    return examineFields(settings);
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return [{ code: "settings-unusable", message: `The settings of definePlugin cannot be read: ${message}` }];
  }
}

/** The name of a field of z.object that is anything else, in which zod itself would fail. */
function fieldWithoutSchema(settings: unknown): string | undefined {
  if (!(settings instanceof z.ZodObject)) return undefined;
  return Object.entries(settings.shape).find(([, field]) => !(field instanceof z.ZodType))?.[0];
}

function examineFields(settings: z.ZodType): Mistake[] {
  const fields = fieldsOf(settings);
  if (fields === undefined)
    return [{ code: "settings-not-an-object", message: "The settings of definePlugin must be a z.object(…)." }];
  const untitled = Object.keys(fields).filter((name) => {
    const title = fields[name]?.title;
    return typeof title !== "string" || title.trim() === "";
  });
  return [
    ...withoutDefault(settings),
    ...refusedDefaults(settings, fields),
    ...untitled.map((name): Mistake => {
      return { code: "setting-without-title", message: `The setting "${name}" has no title: add .meta({ title }).` };
    }),
  ];
}

interface Fields {
  readonly [name: string]: { readonly title?: unknown; readonly secret?: unknown } | undefined;
}

function fieldsOf(settings: unknown): Fields | undefined {
  if (!(settings instanceof z.ZodType)) return undefined;
  const shape = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  return shape.type === "object" ? (shape.properties as Fields | undefined) : undefined;
}

function withoutDefault(settings: z.ZodType): Mistake[] {
  const parsed = settings.safeParse({});
  if (parsed.success) return [];
  const asAWhole = parsed.error.issues.find((issue) => issue.path.length === 0);
  if (asAWhole !== undefined)
    return [
      {
        code: "setting-default-refused",
        message: `The settings of definePlugin do not accept their own defaults: ${asAWhole.message}.`,
      },
    ];
  const names = new Set(parsed.error.issues.map((issue) => issue.path.join(".")));
  return [...names].map((name) => ({
    code: "setting-without-default",
    message: `The setting "${name}" has no default: a plugin must be able to start without being configured.`,
  }));
}

/** zod takes a default as it is: one that its schema refuses could not be saved with the next change of the settings. */
function refusedDefaults(settings: z.ZodType, fields: Fields): Mistake[] {
  const parsed = settings.safeParse({});
  if (!parsed.success) return [];
  const defaults = parsed.data as Readonly<Record<string, unknown>>;
  const known = Object.keys(fields)
    .filter((name) => fields[name]?.secret === true && !isEmpty(defaults[name]))
    .map((name): Mistake => {
      const message = `The setting "${name}" is a secret with a default, which everyone can read in the package.`;
      return { code: "secret-with-default", message };
    });
  // What a transformation has made is no input.
  const again = findTransformation(settings) === undefined ? settings.safeParse(defaults) : undefined;
  const refused = new Map((again?.error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
  return [
    ...known,
    ...[...refused].map(([name, problem]): Mistake => {
      const message = `The setting "${name}" has a default that its own schema refuses: ${problem}.`;
      return { code: "setting-default-refused", message };
    }),
  ];
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

function examineMigrations(migrations: readonly Migration[]): Mistake[] {
  const incomplete = migrations.flatMap(incompleteMigration);
  if (incomplete.length > 0) return incomplete;
  const names = migrations.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  const late = names.find((name, at) => at > 0 && name < names[at - 1]!);
  return [
    ...[...twice].map((name): Mistake => {
      return { code: "migration-twice", message: `Two migrations have the name "${name}".` };
    }),
    ...(late === undefined ? [] : [outOfOrder(late, names[names.indexOf(late) - 1]!)]),
  ];
}

/** What the type of a migration asks for; nothing checks types when a plugin is packed. */
function incompleteMigration(step: Partial<Migration> | undefined, at: number): Mistake[] {
  const { name, up } = step ?? {};
  if (typeof name !== "string" || name.trim() === "") {
    const message = `The migration at place ${at + 1} of definePlugin has no name, such as "0001-lamps".`;
    return [{ code: "migration-incomplete", message }];
  }
  if (typeof up === "function") return [];
  return [{ code: "migration-incomplete", message: `The migration "${name}" of definePlugin has no function "up".` }];
}

function outOfOrder(late: string, before: string): Mistake {
  const message = `The migration "${late}" stands after "${before}", and its name sorts before it: migrations run in the order of their names.`;
  return { code: "migrations-out-of-order", message };
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

function unusedContracts(definition: PluginDefinition, manifest: Manifest): Mistake[] {
  const asked = new Set(
    [...Object.values(definition.requires), ...Object.values(definition.optional)].map(({ id }) => id),
  );
  const named = [
    ...Object.keys(manifest.requires).map((id) => ["requires", id] as const),
    ...Object.keys(manifest.optional).map((id) => ["optional", id] as const),
  ];
  return named
    .filter(([, id]) => !asked.has(id))
    .map(([field, id]) => ({
      code: "contract-not-asked-for",
      message: `The field longbox.${field} of package.json names "${id}", which definePlugin does not ask for.`,
    }));
}
