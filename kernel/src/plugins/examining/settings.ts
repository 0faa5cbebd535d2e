import { isDeepStrictEqual } from "node:util";
import type { SettingsGroupMeta } from "@longbox/sdk";
import { z } from "zod";
import { findAwaiting } from "./awaiting-schemas.js";
import type { Mistake } from "./mistakes.js";
import { findOutsideJson, findTransformation, outsideWords } from "./schema-parts.js";

/** The mistakes of a schema of settings, as they show without being changed by anybody. */
export function examineSettings(settings: z.ZodType | undefined): Mistake[] {
  if (settings === undefined) return [];
  const noSchema = fieldWithoutSchema(settings);
  if (noSchema !== undefined)
    return [
      { code: "settings-unusable", message: `The setting "${noSchema}" is not a schema of zod, such as z.string().` },
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
  const awaiting = findAwaiting(settings);
  if (awaiting !== undefined) return [awaitingSetting(awaiting)];
  const untitled = untitledIn(fields);
  const unkept = outsideJson(settings);
  if (unkept.length > 0) return unkept;
  return [
    ...groupMistakes(settings),
    ...withoutDefault(settings),
    ...refusedDefaults(settings, fields),
    ...listsByHand(fields),
    ...untitled.map((name): Mistake => {
      return { code: "setting-without-title", message: `The setting "${name}" has no title: add .meta({ title }).` };
    }),
  ];
}

function awaitingSetting(place: string): Mistake {
  const named = place === "" ? "The settings of definePlugin have" : `The setting "${place}" has`;
  const message = `${named} code that returns a promise, and settings are checked at once: offer a route that tests them.`;
  return { code: "settings-unusable", message };
}

/** Also the fields of the entries of lists, which people fill in as well. */
function untitledIn(fields: Fields, before = ""): string[] {
  return Object.entries(fields).flatMap(([name, shape]) => {
    const entry = shape?.list === true ? shape.items?.properties : undefined;
    const own = typeof shape?.title === "string" && shape.title.trim() !== "" ? [] : [before + name];
    return [...own, ...(entry ? untitledIn(entry, `${before}${name}.`) : [])];
  });
}

/** The parts of the JSON Schema of a setting that are looked at. */
interface Shape {
  readonly title?: unknown;
  readonly secret?: unknown;
  readonly list?: unknown;
  readonly type?: unknown;
  readonly items?: Shape;
  readonly properties?: Fields;
}

interface Fields {
  readonly [name: string]: Shape | undefined;
}

function fieldsOf(settings: unknown): Fields | undefined {
  if (!(settings instanceof z.ZodType)) return undefined;
  const shape = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  return shape.type === "object" ? (shape.properties as Fields | undefined) : undefined;
}

/** Settings are kept and changed as JSON. */
function outsideJson(settings: z.ZodType): Mistake[] {
  const { shape } = settings._zod.def as { readonly shape?: Readonly<Record<string, z.ZodType>> };
  return Object.entries(shape ?? {}).flatMap(([name, schema]): Mistake[] => {
    const found = findOutsideJson(schema);
    if (found === undefined) return [];
    const where = found.place === "" ? name : `${name}.${found.place}`;
    const message = `The setting "${where}" is ${outsideWords[found.type]}, and settings are kept as JSON: write it as a text, a number, a switch, a list or an object.`;
    return [{ code: "setting-not-json", message }];
  });
}

/** The places of the settings page, by what people want to do. */
const tasks: Readonly<Record<NonNullable<SettingsGroupMeta["task"]>, true>> = {
  library: true,
  details: true,
  reading: true,
  getting: true,
  people: true,
  devices: true,
  messages: true,
  server: true,
};

/** What the settings say of themselves as a whole, which nothing has checked. */
function groupMistakes(settings: z.ZodType): Mistake[] {
  const { task, test } = (settings.meta() ?? {}) as { readonly task?: unknown; readonly test?: unknown };
  const mistakes: Mistake[] = [];
  if (task !== undefined && !(typeof task === "string" && Object.hasOwn(tasks, task))) {
    const message = `The settings of definePlugin have the task ${JSON.stringify(task)} in their .meta(); there are ${Object.keys(tasks).join(", ")}.`;
    mistakes.push({ code: "settings-meta", message });
  }
  if (test !== undefined && !(typeof test === "string" && /^\/api\/.+\/test$/.test(test))) {
    const message = `The settings of definePlugin have the test ${JSON.stringify(test)} in their .meta(), which is not a path such as /api/lamps/test.`;
    mistakes.push({ code: "settings-meta", message });
  }
  return mistakes;
}

/** The web interface and the server take the entries of a list apart by their ids. */
function listsByHand(fields: Fields): Mistake[] {
  return Object.entries(fields)
    .filter(([, shape]) => shape?.list === true && shape.items?.properties?.["id"] === undefined)
    .map(([name]): Mistake => {
      const message = `The setting "${name}" says "list" in its .meta() and was not made by listSetting, which gives each entry an id.`;
      return { code: "setting-list-by-hand", message };
    });
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

/**
 * zod takes a default as it is: one that its schema refuses could not be saved with the next change of the settings.
 */
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
  if (findTransformation(settings) !== undefined) return known;
  const again = settings.safeParse(defaults);
  const refused = new Map((again.error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
  return [
    ...known,
    ...unkeptDefaults(defaults),
    ...[...refused].map(([name, problem]): Mistake => {
      const message = `The setting "${name}" has a default that its own schema refuses: ${problem}.`;
      return { code: "setting-default-refused", message };
    }),
  ];
}

function unkeptDefaults(defaults: Readonly<Record<string, unknown>>): Mistake[] {
  return Object.entries(defaults)
    .filter(([, value]) => value !== undefined && !isDeepStrictEqual(asKept(value), value))
    .map(([name]): Mistake => {
      const message = `The setting "${name}" has a default that is another once it has been kept as JSON.`;
      return { code: "setting-not-json", message };
    });
}

function asKept(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
