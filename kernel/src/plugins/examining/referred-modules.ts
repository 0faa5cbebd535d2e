// The modules of a package that are neither its entry nor imported by it: its client and its workers. They are parsed
// and not run.
import { execFile } from "node:child_process";
import { z } from "zod";
import type { Mistake } from "./mistakes.js";
import { syntaxPlace } from "./syntax-place.js";

/** A module that the manifest names. */
export interface ReferredModule {
  readonly file: string;
  /** A browser finds only what an address leads to; Node finds packages by their names as well. */
  readonly runsIn: "browser" | "node";
}

const parseLimitMs = 10_000;
const mostOutputBytes = 1_000_000;
const mostModules = 300;

const parsedSchema = z.array(
  z.object({
    file: z.string(),
    /** Why it cannot be parsed. */
    fault: z.string().optional(),
    /** It is not there; the file that imports it. */
    missingFor: z.string().optional(),
    imports: z.array(z.string()).default([]),
  }),
);

/** Runs in a process that can read the package and nothing else. V8 parses the modules; nothing of them is run. */
const program = `
const { readFileSync } = require("node:fs"); const path = require("node:path"); const { SourceTextModule } = require("node:vm");
const [folder, most, ...files] = process.argv.slice(1);
const waiting = files.map((file) => ({ file })); const seen = new Set(files); const parsed = [];
while (waiting.length > 0 && parsed.length < Number(most)) {
  const { file, from } = waiting.shift();
  let text;
  try { text = readFileSync(path.join(folder, file), "utf8"); } catch { if (from) parsed.push({ file, missingFor: from }); continue; }
  try {
    const imports = new SourceTextModule(text, { identifier: "module" }).moduleRequests.map(({ specifier }) => specifier);
    parsed.push({ file, imports });
    for (const each of imports.filter((name) => /^\\.\\.?\\//.test(name))) {
      const next = path.posix.join(path.posix.dirname(file), each.replace(/[?#].*$/, ""));
      if (!seen.has(next)) { seen.add(next); waiting.push({ file: next, from: file }); }
    }
  } catch (fault) {
    parsed.push({ file, fault: String(fault.message) });
  }
}
process.stdout.write(JSON.stringify(parsed));`;

/** What keeps the clients and workers of a package from being loaded. */
export async function examineModules(folder: string, modules: readonly ReferredModule[]): Promise<Mistake[]> {
  const found = await Promise.all(
    (["browser", "node"] as const).map(async (runsIn) => {
      const files = modules.filter((each) => each.runsIn === runsIn).map(({ file }) => file);
      if (files.length === 0) return [];
      const parsed = await parse(folder, files);
      return (await Promise.all(parsed.map((each) => mistakesIn(folder, each, runsIn)))).flat();
    }),
  );
  return found.flat();
}

type Parsed = z.output<typeof parsedSchema>[number];

async function mistakesIn(
  folder: string,
  { file, fault, missingFor, imports }: Parsed,
  runsIn: ReferredModule["runsIn"],
): Promise<Mistake[]> {
  if (fault !== undefined) {
    const place = await syntaxPlace(folder, file);
    const message = `The file "${file}" cannot be parsed${place ? ` at line ${place.line}` : ""}: ${fault}.`;
    return [{ code: "module-syntax", message, ...(place ?? { file }) }];
  }
  if (missingFor !== undefined) {
    const message = `The file "${missingFor}" imports "${file}", which is not in the package.`;
    return [{ code: "module-import", message, file: missingFor }];
  }
  if (runsIn === "node") return [];
  return imports
    .filter((name) => !/^(?:\.{0,2}\/|[a-z][a-z+.-]+:)/i.test(name))
    .map((name): Mistake => {
      const message = `The file "${file}" imports "${name}", which a browser cannot find: only addresses lead to modules there.`;
      return { code: "module-import", message, file };
    });
}

/** @returns nothing when parsing takes too long, or there is too much to tell: the package is then not judged by it */
function parse(folder: string, files: readonly string[]): Promise<Parsed[]> {
  const options = ["--permission", `--allow-fs-read=${folder}`, "--experimental-vm-modules", "--no-warnings"];
  const given = [...options, "--eval", program, "--", folder, String(mostModules), ...files];
  return new Promise((resolve) => {
    const limits = { env: {}, timeout: parseLimitMs, maxBuffer: mostOutputBytes };
    execFile(process.execPath, given, limits, (failure, told) => {
      resolve(failure ? [] : parsedSchema.parse(JSON.parse(told)));
    });
  });
}
