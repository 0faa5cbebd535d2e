import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { unlessMissing } from "@longbox/sdk";
import { drawBars } from "../../../plots/bar-plot.ts";
import { thisMachine } from "../../../plots/machine.ts";
import { barsOf, boundedOf, pageOf, type BenchRun, type Figure, type Surroundings } from "./page.ts";

const root = join(import.meta.dirname, "../../../..");
/** Packages that do much of what is measured. */
const packages = ["undici", "polka", "kysely", "sharp", "sql.js", "zod"];

interface Kept extends Surroundings {
  readonly runs: readonly BenchRun[];
}

/**
 * The page of the repository with the figures of all benchmarks, and a plot. It is written after each benchmark, whose
 * former figures it replaces: a run that is cut off keeps what it has measured, and parts of it can be run at other
 * times. Figures from another machine, or from other versions of Node and of the libraries, are removed.
 */
export class Report {
  readonly folder = join(root, "test/bench/report");
  readonly #known: readonly string[];

  /** @param known - the names of all benchmarks that there are */
  constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** Call it when a benchmark begins. @returns what is called with its lines when it has ended */
  begin(bench: string): (lines: readonly string[], isWhole: boolean) => Promise<void> {
    const [began, loadBefore] = [new Date(), loadavg()[0] ?? 0];
    return async (lines, isWhole) => {
      const { commit } = thisMachine(root);
      const minutes = (Date.now() - began.getTime()) / 60_000;
      const figures = lines.map((line) => JSON.parse(line) as Figure);
      await this.#add({ bench, began: began.toISOString(), minutes, commit, loadBefore, isWhole, figures });
    };
  }

  async #add(run: BenchRun): Promise<void> {
    const here = await surroundings();
    const kept = await this.#kept();
    const former = kept && isDeepStrictEqual(surroundingsOf(kept), here) ? kept.runs : [];
    const others = former.filter(({ bench }) => bench !== run.bench && this.#known.includes(bench));
    const runs = [...others, run].toSorted((a, b) => a.bench.localeCompare(b.bench));
    await this.#write({ ...here, runs });
  }

  async #kept(): Promise<Kept | undefined> {
    const text = await unlessMissing(readFile(join(this.folder, "figures.json"), "utf8"));
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  }

  async #write(kept: Kept): Promise<void> {
    const missing = this.#known.filter((bench) => !kept.runs.some((run) => run.bench === bench));
    const plot = drawBars({
      title: "Share of the bound",
      xTitle: "1 is the bound",
      limit: 1,
      bars: barsOf(boundedOf(kept.runs.flatMap(({ figures }) => figures))),
    });
    const files = {
      "figures.json": `${JSON.stringify(kept, undefined, 2)}\n`,
      "README.md": pageOf({ ...kept, missing }),
      "figures.svg": plot,
    };
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(this.folder, `${name}.new`), text);
      await rename(join(this.folder, `${name}.new`), join(this.folder, name));
    }
  }
}

async function surroundings(): Promise<Surroundings> {
  const { commit: _commit, load: _load, ...machine } = thisMachine(root);
  return { machine, processors: cpus().length, versions: await versions() };
}

const surroundingsOf = ({ machine, processors, versions }: Surroundings): Surroundings => ({
  machine,
  processors,
  versions,
});

async function versions(): Promise<Record<string, string>> {
  const { node, v8, sqlite } = process.versions;
  const found: Record<string, string> = { Node: `${node}, V8 ${v8}`, ...(sqlite && { SQLite: sqlite }) };
  for (const name of packages) {
    const manifest = await readFile(join(root, "node_modules", name, "package.json"), "utf8");
    found[name] = (JSON.parse(manifest) as { version: string }).version;
  }
  const nginx = nginxVersion();
  return { ...found, nginx: nginx ?? "not on this machine; its comparisons were left out" };
}

/** nginx prints its version on standard error. */
function nginxVersion(): string | undefined {
  for (const program of ["/usr/sbin/nginx", "/usr/bin/nginx"])
    try {
      return /nginx\/(\S+)/.exec(execFileSync("sh", ["-c", `${program} -v 2>&1`], { encoding: "utf8" }))?.[1];
    } catch {
      continue;
    }
  return undefined;
}
