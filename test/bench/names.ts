// Knowing what a file is: how many names the reader reads right, of our own corpus and of those of other projects, and
// how fast; how many series are matched with their volumes; what of published lists is found without ids.
// Right is series, number and year, all three. The corpora of others stand beside the checkout, or are left out.
import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseName } from "../../plugins/files/dist/names/parse-name.js";
import { readPath } from "../../plugins/files/dist/names/read-path.js";
import { readCorpus, type NameCase } from "../../plugins/files/test/names/corpus/corpus.ts";
import { reportLists } from "./support/figures/list-figures.ts";
import { reportMatching } from "./support/figures/matching-figures.ts";
import { median, report } from "./support/measure.ts";

const shared = fileURLToPath(new URL("../../../shared/corpus/filenames/", import.meta.url));
const bench = "names";

function isRight({ path, series, number, year }: NameCase): boolean {
  const folders = path.split("/");
  const read = readPath(folders.slice(0, -1), folders.at(-1)!);
  return read.series === series && read.number === number && read.year === year;
}

function reportShare(figure: string, cases: readonly NameCase[]): void {
  const right = cases.filter(isRight).length;
  const classes = Map.groupBy(cases, ({ about, language }) => `${about}, ${language}`);
  const weak = [...classes].flatMap(([name, of]) => {
    const wrong = of.filter((one) => !isRight(one)).length;
    return wrong === 0 ? [] : [`${name}: ${wrong} of ${of.length} wrong`];
  });
  const languages = new Set(cases.map(({ language }) => language)).size;
  const share = right / cases.length;
  report({ bench, figure, names: cases.length, languages, right, share, weak, atLeast: { share: 0.97 }, goal: "97 %" });
}

function rows<Row>(file: string): Row[] {
  if (!existsSync(shared + file)) return [];
  const lines = readFileSync(shared + file, "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

/** They count an annual's series as one of its own, and a volume's number as an issue's. */
function reportComictagger(withSign: boolean): void {
  const all = rows<{ input: string; expected: { series: string; issue: string; year: string } }>(
    "comictagger-parse.jsonl",
  );
  if (all.length === 0) return;
  const right = all.filter(({ input, expected }) => {
    const read = parseName(withSign ? input : input.replace("#", ""));
    const series = `${read.series ?? ""}${read.kind === "annual" ? " Annual" : ""}`;
    const number = (read.number ?? "").replace(/^(?:Annual|Vol\.) /, "");
    return series === expected.series && number === expected.issue && String(read.year ?? "") === expected.year;
  }).length;
  const signed = { atLeast: { right: 64 }, goal: "64 of 65" };
  const unsigned = { unbounded: "many of these names can be read in two ways" };
  const figure = withSign ? "comictagger's" : "comictagger's, without number signs";
  report({ bench, figure, names: all.length, right, ...(withSign ? signed : unsigned) });
}

/** They give letters and words decimals: `4a` is 4.1, `4 extra` 4.99. */
function reportMihon(): void {
  const decimals: Readonly<Record<string, number>> = { a: 0.1, b: 0.2, extra: 0.99, omake: 0.98, special: 0.97 };
  const all = rows<{ input: string; series: string; expected: { chapter: number } }>("mihon-chapter-numbers.jsonl");
  if (all.length === 0) return;
  const right = all.filter(({ input, series, expected }) => {
    const { number = "" } = parseName(input, { series: series === "random" ? undefined : series });
    const parts = /^([\d.]+)\s?([a-z]+)?$/.exec(number);
    const chapter = parts ? Number(parts[1]) + (decimals[parts[2] ?? ""] ?? 0) : -1;
    return Math.abs(chapter - expected.chapter) < 1e-9;
  }).length;
  report({ bench, figure: "Mihon's", names: all.length, right, atLeast: { right: 55 }, goal: "55 of 57" });
}

function reportSpeed(cases: readonly NameCase[]): void {
  const paths = cases.map(({ path }) => path.split("/"));
  const readAll = () => {
    const begun = process.cpuUsage();
    for (const path of paths) readPath(path.slice(0, -1), path.at(-1)!);
    const { user, system } = process.cpuUsage(begun);
    return paths.length / ((user + system) / 1e6);
  };
  const inOrder = new Intl.Collator("en", { numeric: true });
  const sortAll = () => {
    const begun = process.cpuUsage();
    cases.map(({ path }) => path).sort(inOrder.compare);
    const { user, system } = process.cpuUsage(begun);
    return paths.length / ((user + system) / 1e6);
  };
  const rounds = Array.from({ length: 30 }, readAll);
  const sorted = median(Array.from({ length: 30 }, sortAll));
  report({
    bench,
    figure: "on one core",
    namesPerSecond: median(rounds),
    slowestRoundPerSecond: Math.min(...rounds),
    sortedPerSecond: sorted,
    // Sorting the same names as people count, which a scan does as well.
    ratio: sorted / median(rounds),
    atMost: { ratio: 30 },
    goal: "20,000 a second of processor time",
  });
}

/** What makes an expression that backtracks slow. */
const hostileParts = [
  "1 ",
  "(",
  "[a]",
  "#1 ",
  "v1 ",
  "1-",
  "1,",
  "Annual ",
  "c1",
  "a.",
  "(1 of 3)",
  "第1話",
  "- ",
  "_",
];
const moreParts = [
  "2019-01-01 ",
  "1 & 2 ",
  "' ",
  "Hard Cover ",
  "½",
  "1.5.",
  "No. 1 2 ",
  "ตอน 1",
  "a(b)c",
  "1st ",
  " ",
];

function reportHostile(): void {
  const parts = [...hostileParts, ...moreParts];
  // The first names compile the rules.
  for (const part of parts) timesOf(part, 4000);
  const slowest = parts.map((part) => {
    const times = timesOf(part, 4000);
    const milliseconds = median(times);
    // Twice the length takes twice the time, not four times.
    return {
      part,
      milliseconds,
      slowestMilliseconds: Math.max(...times),
      growth: milliseconds / median(timesOf(part, 2000)),
    };
  });
  const worst = slowest.toSorted((one, other) => other.milliseconds - one.milliseconds)[0]!;
  const atMost = { growth: 3 };
  report({ bench, figure: "hostile names of 4,000 characters", ...worst, atMost, goal: "under 1 ms" });
}

/** Milliseconds that a name takes in which this part stands again and again. */
function timesOf(part: string, length: number): number[] {
  const name = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  return Array.from({ length: 40 }, () => {
    const begun = performance.now();
    parseName(name);
    return performance.now() - begun;
  });
}

const corpus = readCorpus();
reportShare(
  "our corpus, as worked on",
  corpus.filter(({ isSetAside }) => !isSetAside),
);
reportShare(
  "our corpus, the third set aside",
  corpus.filter(({ isSetAside }) => isSetAside),
);
reportComictagger(true);
reportComictagger(false);
reportMihon();
reportSpeed(corpus);
reportHostile();
await reportMatching(bench);
await reportLists(bench, 100);
