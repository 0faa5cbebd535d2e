/** Says an English text in another language; undefined where there is no translation. */
export type Translating = (text: string) => string | undefined;
/** How what stands in a place is written, such as isolated where texts run from right to left. */
export type Writing = (value: string) => string;
const asItIs: Writing = (value) => value;

/** How deep texts stand in texts; tables come from packages, and one may name itself in all that it says. */
const mostLevels = 10;
/** How many patterns are tried for one text. */
const mostTried = 20_000;

/**
 * Finds translations in tables by their English texts. A text may have places for what changes: `"{count} unread"`
 * translates `3 unread`. What stands in a place stays as it is: a name, a size, a figure alone in `count` and names
 * that end so, or one word in `field`. Only what stands in `text` (`text2` …) is translated, too, up to ten levels
 * deep.
 * @param tables - the first one that has a text says it
 */
export function translatedBy(
  tables: Iterable<Readonly<Record<string, string>>>,
  written: Writing = asItIs,
): Translating {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [text, translation] of [...tables].flatMap((table) => Object.entries(table))) {
    if (!whole.has(text)) whole.set(text, translation);
    if (place.test(text)) patterns.push({ literals: text.split(place), names: namesOf(text), translation });
  }
  // What says more of a text is tried before what says less, and of punctuation alone that which separates more.
  const isList = ({ literals }: Pattern) => Number(literals.join("") === "; ");
  patterns.sort(
    (one, other) => other.literals.join("").length - one.literals.join("").length || isList(other) - isList(one),
  );
  let left = mostTried;
  const said = (text: string, level: number): string | undefined => {
    const exact = whole.get(text);
    if (exact !== undefined) return exact;
    if (level === mostLevels) return undefined;
    for (const { literals, names, translation } of patterns) {
      if (--left < 0) return undefined;
      const values = valuesBetween(literals, text);
      if (!values || !values.every((value, index) => fits(value, names[index] ?? ""))) continue;
      const own = values.map((value, index) => (isText(names[index] ?? "") ? said(value, level + 1) : undefined));
      // Punctuation around texts that have no translation is none either.
      if (names.some(isText) && own.every((value) => value === undefined)) continue;
      return filledIn(
        translation,
        Object.fromEntries(names.map((name, index) => [name, own[index] ?? written(values[index]!)])),
      );
    }
    return undefined;
  };
  return (text) => {
    left = mostTried;
    return said(text, 0);
  };
}

/** The text with the values of a record in its places; undefined when one lacks. */
export function filledIn(text: string, values: unknown, written: Writing = asItIs): string | undefined {
  const record = (typeof values === "object" && values !== null ? values : {}) as Record<string, unknown>;
  if (namesOf(text).some((name) => !["string", "number"].includes(typeof record[name]))) return undefined;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(String(record[name])));
}

interface Pattern {
  /** What stands before, between and after the places. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly translation: string;
}

const place = /\{\w+\}/;

const isText = (name: string) => /^text\d?$/.test(name);

function fits(value: string, name: string): boolean {
  if (/count$/i.test(name)) return /^[\d.,]+$/.test(value);
  return name !== "field" || /^\S+$/.test(value);
}

function namesOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** What stands in the places of a text, each as short as it can be; undefined when it is another text. */
function valuesBetween([first = "", ...rest]: readonly string[], text: string): string[] | undefined {
  const last = rest.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [index, literal] of rest.entries()) {
    const end = index === rest.length - 1 ? text.length - last.length : text.indexOf(literal, at + 1);
    if (end <= at) return undefined;
    values.push(text.slice(at, end));
    at = end + literal.length;
  }
  return values;
}
