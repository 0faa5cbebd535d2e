import { readFileSync } from "node:fs";

/** A name, and what a person reads in it. */
export interface NameCase {
  /** The folders from the library's root and the name, divided by slashes. */
  readonly path: string;
  readonly series: string | undefined;
  readonly number: string | undefined;
  readonly year: number | undefined;
  /** The class of names, such as `ranges`. */
  readonly about: string;
  readonly language: string;
  /** A third of the rows is not looked at while the rules are worked on. */
  readonly isSetAside: boolean;
}

type Words = Readonly<Record<string, string>>;

const lines = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "));

const roman = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"];
const rowOf = /^(.*) => (.*) \|\s*(.*?)\s*\|\s*(.*)$/;

/** Every name of the corpus, the same at every run. */
export function readCorpus(): NameCase[] {
  const titles = readTitles();
  const cases: NameCase[] = [];
  for (const file of ["english.txt", "languages.txt"]) {
    let [about, language] = ["", ""];
    for (const line of lines(file)) {
      const heading = /^## (.*) (\S+)$/.exec(line);
      if (heading) [about, language] = [heading[1]!, heading[2]!];
      else if (language !== "*") cases.push(...expand(line, { about, language, times: 4 }, titles));
      else
        for (const each of new Set([...titles.keys()].map((key) => key.split(" ")[1]!)))
          cases.push(...expand(line, { about, language: each, times: 2 }, titles));
    }
  }
  return cases;
}

function readTitles(): Map<string, string[]> {
  return new Map(
    lines("titles.txt").map((line) => {
      const colon = line.indexOf(":");
      return [
        line.slice(0, colon),
        line
          .slice(colon + 1)
          .split(";")
          .map((title) => title.trim()),
      ];
    }),
  );
}

function expand(
  row: string,
  { about, language, times }: { about: string; language: string; times: number },
  titles: ReadonlyMap<string, readonly string[]>,
): NameCase[] {
  const parts = rowOf.exec(row);
  if (!parts) throw new Error(`No row of the corpus: ${row}`);
  const isSetAside = hash(row) % 3 === 0;
  return Array.from({ length: times }, (_, index) => {
    const words = wordsFor(randomFrom(hash(`${row} ${language} ${index}`)), language, titles);
    const [path, series, number, year] = parts.slice(1).map((part) => fill(part, words));
    return {
      path: path!,
      series: series || undefined,
      number: number || undefined,
      year: year ? Number(year) : undefined,
      about,
      language,
      isSetAside,
    };
  });
}

function wordsFor(random: () => number, language: string, titles: ReadonlyMap<string, readonly string[]>): Words {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const pick = (key: string) => {
    const list = titles.get(`${key} ${language}`) ?? titles.get(`${key} en`)!;
    return list[between(0, list.length - 1)]!;
  };
  const [n, d, v, y] = [between(1, 180), between(1, 8), between(1, 7), between(1938, 2024)];
  const [m, w] = [n + between(1, 12), v + between(1, 4)];
  const padded = (number: number, width: number) => String(number).padStart(width, "0");
  const series = pick("S");
  const dotted = series.split(/[^\p{L}\p{M}\p{N}']+/u).filter((part) => part !== "");
  const words: Record<string, string> = {
    ...{ S: series, T: pick("T"), N: pick("N"), E: pick("E"), H: pick("H"), J: pick("J") },
    ...{ G: pick("G"), K: pick("K"), P: pick("P"), "S.": dotted.join("."), "S,": dotted.join(" ") },
    ...{ r: roman[v]!, R: roman[between(2, 4)]!, y: String(y), z: String(y + 2), d3: padded(d, 3) },
    f: String(n).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    q: String(n).replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  };
  words["G."] = words["G"]!.replaceAll(" ", ".");
  for (const [name, value] of Object.entries({ n, m, d, v, w })) {
    words[name] = String(value);
    words[`${name}2`] = padded(value, 2);
    words[`${name}3`] ??= padded(value, 3);
  }
  return words;
}

const fill = (template: string, words: Words) =>
  template.replace(/\{([A-Za-z][0-9.,]?)\}/g, (whole, name: string) => words[name] ?? whole);

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
