import { setImmediate as breathe } from "node:timers/promises";
import { foldTitle } from "@longbox/sdk";

/** A title to compare. */
export interface Titled {
  readonly id: number;
  readonly title: string;
  /** Folded. */
  readonly title_key: string;
  /** Other titles, as JSON. */
  readonly aliases: string;
}

/** Shorter titles differ by a letter because they are others. */
const misspeltFrom = 10;
/** In the order of the alphabet a misspelt title is close to the right one, read forwards or backwards. */
const closest = 12;
/** So many titles are compared without a pause. */
const atOnce = 1000;
/** So many of one title are compared with each other. */
const mostOfTitle = 20;

/** Pairs whose titles are alike, each once, with the reason; the surest reasons first. */
export async function* alikePairs<T extends Titled>(all: readonly T[]): AsyncGenerator<[T, T, string]> {
  const seen = new Set<string>();
  let compared = 0;
  for (const pairs of [ofOneTitle(all), ofOtherTitle(all), misspelt(all)])
    for await (const pair of pairs) {
      if (++compared % atOnce === 0) await breathe();
      if (pair === undefined) continue;
      const [one, other] = pair;
      const key = `${Math.min(one.id, other.id)}-${Math.max(one.id, other.id)}`;
      if (one.id === other.id || seen.has(key)) continue;
      seen.add(key);
      yield pair;
    }
}

/** Undefined where only time has passed. */
type Pairs<T> = Generator<[T, T, string] | undefined>;

const joined = (key: string) => key.replace(/\s+/g, "");
const byTitle = <T extends Titled>(all: readonly T[]) => Map.groupBy(all, ({ title_key }) => joined(title_key));

function* ofOneTitle<T extends Titled>(all: readonly T[]): Pairs<T> {
  for (const group of byTitle(all).values())
    for (const [index, one] of group.slice(0, mostOfTitle).entries())
      for (const other of group.slice(index + 1, mostOfTitle))
        yield [one, other, "The titles differ in case, accents or punctuation at most."];
}

function* ofOtherTitle<T extends Titled>(all: readonly T[]): Pairs<T> {
  const titles = byTitle(all);
  for (const one of all) {
    yield undefined;
    if (one.aliases === "[]") continue;
    for (const alias of JSON.parse(one.aliases) as string[])
      for (const other of titles.get(joined(foldTitle(alias)))?.slice(0, mostOfTitle) ?? [])
        yield [one, other, `“${other.title}” is another name of “${one.title}”.`];
  }
}

async function* misspelt<T extends Titled>(all: readonly T[]): AsyncGenerator<[T, T, string] | undefined> {
  const spelled = all
    .map((one) => ({ one, forwards: joined(one.title_key) }))
    .filter(({ forwards }) => forwards.length >= misspeltFrom - 1)
    .map(({ one, forwards }) => ({ one, forwards, backwards: [...forwards].toReversed().join("") }));
  for (const direction of ["forwards", "backwards"] as const) {
    const sorted = await sortedBy(spelled, (title) => title[direction]);
    for (const [index, { one, forwards }] of sorted.entries()) {
      yield undefined;
      for (const other of sorted.slice(index + 1, index + 1 + closest))
        if (isMisspelt(forwards, other.forwards)) yield [one, other.one, "The titles differ by one letter."];
    }
  }
}

/** Sorts piece by piece, because a hundred thousand at once would take half a second. */
async function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): Promise<readonly T[]> {
  const compare = (left: T, right: T) => (keyOf(left) < keyOf(right) ? -1 : 1);
  if (items.length <= atOnce) return items.toSorted(compare);
  const middle = Math.ceil(items.length / 2);
  const left = await sortedBy(items.slice(0, middle), keyOf);
  const right = await sortedBy(items.slice(middle), keyOf);
  const sorted: T[] = [];
  for (let [at, other] = [0, 0]; at < left.length || other < right.length;) {
    if (sorted.length % (10 * atOnce) === 0) await breathe();
    const isLeft = other === right.length || (at < left.length && keyOf(left[at]!) <= keyOf(right[other]!));
    sorted.push(isLeft ? left[at++]! : right[other++]!);
  }
  return sorted;
}

/** Whether one letter was added, left out or replaced; a digit makes another title. */
function isMisspelt(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < misspeltFrom || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const longest = Math.max(one.length, other.length);
  const rest = (text: string) => text.slice(start + (text.length >= longest ? 1 : 0));
  if (rest(one) !== rest(other)) return false;
  return one !== other && !/\d/.test(`${one[start] ?? ""}${other[start] ?? ""}`);
}
