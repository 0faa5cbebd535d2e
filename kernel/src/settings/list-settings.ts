import { randomBytes } from "node:crypto";
import { isRecord, mask, type ValueShape } from "./masking.js";

/** What is wrong with a list, by the path of each field. */
export type ListFlaws = Record<string, string>;

/** Gives ids to entries that were stored without one, always the same ones. */
export function withStoredIds(shape: ValueShape, value: unknown): unknown {
  return eachList(shape, value, (entries) =>
    entries.map((entry, at) => (isRecord(entry) && !entry["id"] ? { ...entry, id: String(at + 1) } : entry)),
  );
}

/**
 * Takes the lists of a change: gives ids to new entries, and finds ids that the list does not have, ids that stand
 * twice, and masks of entries that have no secret yet.
 */
export function takeLists(
  shape: ValueShape,
  value: unknown,
  { path, former }: { readonly path: string; readonly former: unknown },
): { value: unknown; flaws: ListFlaws } {
  const flaws: ListFlaws = {};
  return { value: take({ shape, path, former, flaws }, value), flaws };
}

/** Where in the settings something stands, what stood there before, and where flaws are written down. */
interface Place {
  readonly shape: ValueShape;
  readonly path: string;
  readonly former: unknown;
  readonly flaws: ListFlaws;
}

function take(place: Place, value: unknown): unknown {
  if (place.shape.list === true && Array.isArray(value)) return takeEntries(place, value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, takeField(place, key, each)]));
}

function takeField({ shape, path, former, flaws }: Place, key: string, value: unknown): unknown {
  const inner = shape.properties?.[key];
  if (inner === undefined) return value;
  return take(
    { shape: inner, path: `${path}.${key}`, former: isRecord(former) ? former[key] : undefined, flaws },
    value,
  );
}

function takeEntries({ shape, path, former, flaws }: Place, entries: readonly unknown[]): unknown[] {
  const entryShape = typeof shape.items === "object" ? shape.items : {};
  const known = new Map(
    (Array.isArray(former) ? former : []).filter(isRecord).map((entry) => [entry["id"], entry] as const),
  );
  const seen = new Set<unknown>();
  return entries.map((entry, at) => {
    if (!isRecord(entry)) return entry;
    const id = entry["id"] ?? "";
    const place: Place = { shape: entryShape, path: `${path}.${at}`, former: known.get(id), flaws };
    if (id !== "" && !known.has(id)) flaws[`${place.path}.id`] = "There is no such entry.";
    if (id !== "" && seen.has(id)) flaws[`${place.path}.id`] = "This entry stands in the list twice.";
    seen.add(id);
    refuseMisplaced(place, entry);
    return { ...(take(place, entry) as Record<string, unknown>), id: id === "" ? newId() : id };
  });
}

/** Fields that an entry does not have, and in a new one masks, which stand for nothing yet. */
function refuseMisplaced({ shape, path, former, flaws }: Place, entry: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(entry)) {
    const known = Object.hasOwn(shape.properties ?? {}, key) ? shape.properties![key] : undefined;
    if (known === undefined) flaws[`${path}.${key}`] = "There is no such setting.";
    if (known?.secret === true && value === mask && former === undefined)
      flaws[`${path}.${key}`] = "A new entry has no stored secret yet; give it.";
  }
}

function eachList(shape: ValueShape, value: unknown, change: (entries: unknown[]) => unknown[]): unknown {
  if (Array.isArray(value) && shape.list === true) {
    const entryShape = typeof shape.items === "object" ? shape.items : {};
    return change(value).map((entry) => eachList(entryShape, entry, change));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const inner = shape.properties?.[key];
      return [key, inner ? eachList(inner, each, change) : each];
    }),
  );
}

const newId = () => randomBytes(9).toString("base64url");
