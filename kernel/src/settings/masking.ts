/** What stands for a secret that is set. Sent back, it leaves the secret as it was. */
export const mask = "********";

/** The parts of a JSON Schema that are walked. */
export interface ValueShape {
  readonly secret?: boolean;
  readonly list?: boolean;
  readonly properties?: Readonly<Record<string, ValueShape>>;
  readonly additionalProperties?: ValueShape | boolean;
  readonly items?: ValueShape | boolean;
  readonly anyOf?: readonly ValueShape[];
  readonly oneOf?: readonly ValueShape[];
  readonly allOf?: readonly ValueShape[];
}

/** The value with its secrets masked; one that is not set shows as it is. */
export function masked(shape: ValueShape, value: unknown): unknown {
  return walk(shape, { value }, (secret) => (secret === "" || secret === undefined || secret === null ? "" : mask));
}

/** The value with each mask in a secret's place replaced by what was there before. */
export function unmasked(shape: ValueShape, value: unknown, former: unknown): unknown {
  return walk(shape, { value, former }, (secret, before) => (secret === mask ? (before ?? "") : secret));
}

/** Every secret that is set. */
export function secretsIn(shape: ValueShape, value: unknown): string[] {
  const found: string[] = [];
  walk(shape, { value }, (secret) => {
    if (typeof secret === "string" && secret !== "") found.push(secret);
    return secret;
  });
  return found;
}

/** Shorter ones stand in too many innocent words. */
const shortestSecret = 4;

/** Takes secrets out of a JSON value, as they are or as JSON, URLs and form fields write them, in all its texts. */
export function secretCleaner(secrets: readonly string[]): (value: unknown) => unknown {
  const spellings = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams([["", secret]]).toString().slice(1),
    ]);
  // The longest first: a secret that begins another would leave the other's end standing.
  const ordered = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  return (value) => clean(value, (text) => ordered.reduce((left, spelling) => left.replaceAll(spelling, mask), text));
}

function clean(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((each) => clean(each, text));
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), clean(each, text)]))
    : value;
}

type Replace = (secret: unknown, former: unknown) => unknown;

/** A value, and what stood in its place before. */
interface Changed<T = unknown> {
  readonly value: T;
  readonly former?: unknown;
}

function walk(shape: ValueShape | boolean | undefined, { value, former }: Changed, replace: Replace): unknown {
  if (typeof shape !== "object") return value;
  if (shape.secret === true) return replace(value, former);
  const branches = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])];
  const within = branches.reduce((each: unknown, branch) => walk(branch, { value: each, former }, replace), value);
  if (Array.isArray(within))
    return within.map((item, index) =>
      walk(shape.items, { value: item, former: counterpart(shape, [item, index], former) }, replace),
    );
  return isRecord(within) ? walkRecord(shape, { value: within, former }, replace) : within;
}

function walkRecord(
  shape: ValueShape,
  { value, former }: Changed<Record<string, unknown>>,
  replace: Replace,
): Record<string, unknown> {
  const before = isRecord(former) ? former : {};
  const others = shape.additionalProperties;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      walk(shape.properties?.[key] ?? others, { value: each, former: before[key] }, replace),
    ]),
  );
}

/**
 * What an item of a list was before: the one with the same id, or where entries have no ids, the one in the same place.
 */
function counterpart(shape: ValueShape, [item, index]: readonly [unknown, number], former: unknown): unknown {
  if (!Array.isArray(former)) return undefined;
  const id = isRecord(item) ? item["id"] : undefined;
  if (id === undefined && shape.list === true) return undefined;
  return id === undefined ? former[index] : former.find((each) => isRecord(each) && each["id"] === id);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
