import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import type { Check } from "../check.js";

interface PublicEntry {
  /** The package's folder, relative to the root. */
  readonly folder: string;
  /** The module, relative to `dist`, without its ending. */
  readonly entry: string;
  /** The report, relative to the package's folder. */
  readonly report: string;
  readonly tsconfig: string;
}

const sdkEntries: Readonly<Record<string, string>> = {
  index: "sdk",
  client: "sdk-client",
  "client-build": "sdk-client-build",
  manifest: "sdk-manifest",
  "messages/index": "sdk-messages",
  testing: "sdk-testing",
  "ui/index": "sdk-ui",
};

/**
 * What other packages may import is what `etc/*.api.md` show, so that a change of it shows as a diff: every entry of
 * the SDK, and the contract of every plugin. With `LONGBOX_UPDATE_API=1` the reports are written again.
 */
export const apiReportCheck: Check = {
  name: "API reports",
  async find(root) {
    const problems: string[] = [];
    for (const entry of [...sdkReports(), ...(await contractReports(root))])
      problems.push(...(await reportProblems(root, entry)));
    return problems;
  },
};

function sdkReports(): PublicEntry[] {
  return Object.entries(sdkEntries).map(([entry, report]) => ({
    folder: "sdk",
    entry,
    report: `etc/${report}.api.md`,
    // What runs in browsers is compiled for browsers.
    tsconfig: entry.startsWith("ui/") ? "src/ui/tsconfig.json" : "tsconfig.json",
  }));
}

async function contractReports(root: string): Promise<PublicEntry[]> {
  const plugins = (await readdir(join(root, "plugins"), { withFileTypes: true })).filter((each) => each.isDirectory());
  return plugins
    .map(({ name }) => `plugins/${name}`)
    .filter((folder) => existsSync(join(root, folder, "src", "contract.ts")))
    .map((folder) => ({ folder, entry: "contract", report: "etc/contract.api.md", tsconfig: "tsconfig.json" }));
}

/** Making a report takes a second or two, so it is made again only where declarations or the report changed. */
async function reportProblems(root: string, entry: PublicEntry): Promise<string[]> {
  const stamp = join(
    root,
    "node_modules",
    ".cache",
    "longbox",
    "api",
    entry.folder,
    `${basename(entry.report)}.sha256`,
  );
  const print = await fingerprint(root, entry);
  if ((await readFile(stamp, "utf8").catch(() => "")) === print) return [];
  const problems = await compareReport(root, entry);
  if (problems.length > 0) return problems;
  await mkdir(dirname(stamp), { recursive: true });
  await writeFile(stamp, await fingerprint(root, entry));
  return [];
}

/** Of the declarations that the package's build wrote, and of the report that is kept. */
async function fingerprint(root: string, { folder, report }: PublicEntry): Promise<string> {
  const dist = join(root, folder, "dist");
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".d.ts")).sort();
  const digest = createHash("sha256").update(await readFile(join(root, folder, report)).catch(() => ""));
  for (const name of names) digest.update(name).update(await readFile(join(dist, name)));
  return digest.digest("hex");
}

async function compareReport(root: string, entry: PublicEntry): Promise<string[]> {
  const made = join(root, "temp", "api");
  await mkdir(made, { recursive: true });
  try {
    const errors = extract(root, entry, made);
    const kept = join(root, entry.folder, entry.report);
    const next = await readFile(join(made, basename(entry.report)), "utf8");
    if (process.env["LONGBOX_UPDATE_API"] === "1") {
      await mkdir(dirname(kept), { recursive: true });
      await writeFile(kept, next);
    }
    const shown = `${entry.folder}/${entry.report}`;
    // Other plugins may import nothing of a plugin but its contract.
    const elsewhere = entry.entry === "contract" ? [] : await reportsBeside(kept);
    const withheld = withheldTypes(next, elsewhere);
    errors.push(...withheld.map((name) => `${shown} needs ${name}: export it.`));
    if ((await readFile(kept, "utf8").catch(() => "")) === next) return errors;
    return [
      ...errors,
      `${shown} does not show the source as it is. If the change is meant: LONGBOX_UPDATE_API=1 npm run check, and say it in the commit.`,
    ];
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Types that an entry uses and does not export: those who import it cannot name them, and would write them again.
 * @param elsewhere - reports of other entries, whose exports they can name as well
 */
function withheldTypes(report: string, elsewhere: readonly string[]): string[] {
  const used = [...report.matchAll(/\(ae-forgotten-export\) The symbol "(\w+)"/g)].map(([, name = ""]) => name);
  const isExported = (name: string) =>
    elsewhere.some((each) => new RegExp(`^export (?:abstract )?[a-z]+ ${name}\\b`, "m").test(each));
  return used.filter((name) => !isExported(name));
}

async function reportsBeside(report: string): Promise<string[]> {
  const folder = dirname(report);
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.filter((name) => name.endsWith(".api.md")).map((name) => readFile(join(folder, name), "utf8")),
  );
}

function extract(root: string, { folder, entry, report, tsconfig }: PublicEntry, made: string): string[] {
  const errors: string[] = [];
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: join(root, folder),
      mainEntryPointFilePath: join(root, folder, "dist", `${entry}.d.ts`),
      compiler: { tsconfigFilePath: join(root, folder, tsconfig) },
      apiReport: {
        enabled: true,
        reportFileName: basename(report),
        reportFolder: made,
        reportTempFolder: join(made, "temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: "none" as never },
          "ae-forgotten-export": { logLevel: "warning" as never, addToApiReportFile: true },
        },
      },
      newlineKind: "lf" as never,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, folder, "package.json"),
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      message.handled = true;

      if (message.category === "Compiler" && message.logLevel === "error")
        errors.push(message.formatMessageWithLocation(root));
    },
  });
  return errors;
}
