import { foldTitle } from "@longbox/sdk/light";

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
/** So many of one title are compared with each other. */
const mostOfTitle = 20;

/**
 * Pairs whose titles are alike, each once, with the reason; the surest reasons first. Takes seconds for many titles.
 */
export function* alikePairs<T extends Titled>(all: readonly T[]): Pairs<T> {
  const seen = new Set<string>();
  for (const pairs of [ofOneTitle(all), ofOtherTitle(all), misspelt(all)])
    for (const pair of pairs) {
      const [one, other] = pair;
      const key = `${Math.min(one.id, other.id)}-${Math.max(one.id, other.id)}`;
      if (one.id === other.id || seen.has(key)) continue;
      seen.add(key);
      yield pair;
    }
}

type Pairs<T> = Generator<[T, T, string], void, undefined>;

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
    if (one.aliases === "[]") continue;
    for (const alias of JSON.parse(one.aliases) as string[])
      for (const other of titles.get(joined(foldTitle(alias)))?.slice(0, mostOfTitle) ?? [])
        yield [one, other, `“${other.title}” is another name of “${one.title}”.`];
  }
}

function* misspelt<T extends Titled>(all: readonly T[]): Pairs<T> {
  const spelled = all
    .map((one) => ({ one, forwards: joined(one.title_key) }))
    .filter(({ forwards }) => forwards.length >= misspeltFrom - 1)
    .map(({ one, forwards }) => ({ one, forwards, backwards: [...forwards].toReversed().join("") }));
  for (const direction of ["forwards", "backwards"] as const) {
    const sorted = spelled.toSorted((one, other) => (one[direction] < other[direction] ? -1 : 1));
    for (const [index, { one, forwards }] of sorted.entries())
      for (const other of sorted.slice(index + 1, index + 1 + closest))
        if (isMisspelt(forwards, other.forwards)) yield [one, other.one, "The titles differ by one letter."];
  }
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
