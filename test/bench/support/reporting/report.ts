import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { drawBars } from "../../../plots/bar-plot.ts";
import { thisMachine } from "../../../plots/machine.ts";
import { barsOf, boundedOf, pageOf, type Figure } from "./page.ts";

const root = join(import.meta.dirname, "../../../..");
/** Packages that do much of what is measured. */
const packages = ["undici", "polka", "kysely", "sharp", "sql.js", "zod"];

/** Collects the lines of a run, and makes a page with a plot of them. */
export class Report {
  readonly #began = new Date();
  readonly #loadBefore = loadavg()[0] ?? 0;
  readonly #figures: Figure[] = [];

  add(line: string): void {
    this.#figures.push(JSON.parse(line) as Figure);
  }

  /**
   * A complete run is kept in the repository, in `test/bench/report`; a part of one goes to `temp/bench`, which git
   * ignores. Answers the folder.
   */
  async write(benches: readonly string[], isComplete: boolean): Promise<string> {
    const folder = isComplete ? join(root, "test/bench/report") : join(root, "temp/bench");
    await mkdir(folder, { recursive: true });
    const page = pageOf({
      began: this.#began,
      minutes: (Date.now() - this.#began.getTime()) / 60_000,
      machine: thisMachine(root),
      loadBefore: this.#loadBefore,
      processors: cpus().length,
      versions: await versions(),
      figures: this.#figures,
      ...{ benches, isComplete },
    });
    const plot = drawBars({
      title: "Share of the bound",
      xTitle: "1 is the bound",
      limit: 1,
      bars: barsOf(boundedOf(this.#figures)),
    });
    await writeFile(join(folder, "README.md"), page);
    await writeFile(join(folder, "figures.svg"), plot);
    return folder;
  }
}

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
