import { t } from "@longbox/sdk/ui";

/** The part of JSON Schema that settings are described with. */
export interface SettingSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SettingSchema[];
  readonly items?: SettingSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly secret?: boolean;
  /** A list of entries with ids. */
  readonly list?: boolean;
  /** Of a choice: how its values are shown, such as `qBittorrent` for `qbittorrent`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Of a list: the route that tries one entry; of a group: the route that tries its values. */
  readonly test?: string;
  /** Of a group: what people want to do who look for it, see `SettingsGroupMeta` of the SDK. */
  readonly task?: string;
  /** Folded away: few people ever change it. */
  readonly advanced?: boolean;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
}

export type SettingKind = "flag" | "choice" | "number" | "text" | "secret" | "lines" | "list" | "json";

/** One field of a form that was made from a schema. */
export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly kind: SettingKind;
  readonly choices: readonly string[];
  /** How choices are shown that are not shown as they are. */
  readonly labels: Readonly<Record<string, string>>;
  /** The fields of one entry of a list. */
  readonly entry: SettingSchema | undefined;
  /** The route that tries one entry of a list. */
  readonly test: string | undefined;
  readonly isAdvanced: boolean;
  readonly whole: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export class NotAValue extends Error {}

/** The fields of a group, in the order of its schema. */
export function fieldsOf(group: SettingSchema): readonly SettingField[] {
  return Object.entries(group.properties ?? {}).map(([key, schema]) => ({
    key,
    label: schema.title ?? words(key),
    hint: schema.description,
    kind: kindOf(schema),
    choices: choicesOf(schema),
    labels: schema.labels ?? {},
    entry: isList(schema) ? schema.items : undefined,
    test: schema.list === true ? schema.test : undefined,
    isAdvanced: schema.advanced === true,
    whole: schema.type === "integer",
    // In JSON Schema, an integer without a bound has the largest safe integer as its maximum.
    minimum: bound(schema.minimum),
    maximum: bound(schema.maximum),
  }));
}

/** The text of a value in the form. */
export function toText(field: SettingField, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (field.kind === "lines") return (value as readonly unknown[]).join("\n");
  return field.kind === "json" || field.kind === "list" ? JSON.stringify(value, undefined, 2) : String(value);
}

/** Parses the text of a field. @throws {NotAValue} with a sentence for the user */
export function fromText(field: SettingField, text: string): unknown {
  switch (field.kind) {
    case "flag":
      return text === "true";
    case "number":
      return numberFrom(text);
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "list":
    case "json":
      return jsonFrom(text);
    default:
      return text;
  }
}

function kindOf(schema: SettingSchema): SettingKind {
  if (schema.secret) return "secret";
  if (isList(schema)) return "list";
  if (choicesOf(schema).length > 0) return "choice";
  if (schema.type === "boolean") return "flag";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "array" && schema.items?.type === "string") return "lines";
  return isText(schema) ? "text" : "json";
}

/** Entries have ids, or are told apart by their place, such as the path mappings of a download client. */
function isList({ list, type, items }: SettingSchema): boolean {
  return list === true || (type === "array" && items?.type === "object" && items.properties !== undefined);
}

/** Also where several forms of a text are allowed, such as an address or nothing. */
function isText({ type, anyOf }: SettingSchema): boolean {
  return type === "string" || (anyOf?.length ? anyOf.every(isText) : false);
}

function choicesOf(schema: SettingSchema): readonly string[] {
  if (schema.enum?.every((choice) => typeof choice === "string")) return schema.enum;
  const constants = schema.anyOf?.map((choice) => choice.const) ?? [];
  return constants.length > 0 && constants.every((choice) => typeof choice === "string") ? constants : [];
}

function bound(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function numberFrom(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) throw new NotAValue(t("settingFields.aNumber"));
  return value;
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new NotAValue(t("settingFields.notJson", { reason: (thrown as Error).message }));
  }
}

/** `folderPattern` becomes "Folder pattern". */
export function words(key: string): string {
  const spaced = key
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_.]/g, " ")
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
