import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "../check.js";
import { knownErrors, remedyOfKind, type KnownError } from "./error-knowledge.js";
import { findErrorPlaces, type ErrorPlace } from "./error-sources.js";
import { compareGenerated } from "./generated.js";

const page = "kernel/ERRORS.md";

interface ErrorCode {
  readonly code: string;
  readonly kind: string;
  readonly status: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** `kernel/ERRORS.md` lists every error code of the source, with what it means and what helps. */
export const errorCodesCheck: Check = {
  name: "error codes",
  async find(root) {
    const owners = (await readdir(join(root, "plugins"), { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    const places = await findErrorPlaces(
      root,
      owners.map(({ name }) => name),
    );
    const statuses = await statusOfKinds(root);
    const codes = [...new Set(places.map(({ code }) => code))].sort().filter((code) => knownOf(code) !== "no error");
    const described = codes.map((code) => describe(code, places, statuses));
    const problems = described.flatMap((one) => (typeof one === "string" ? [one] : []));
    const stale = Object.keys(knownErrors)
      .filter((known) => !places.some(({ code }) => code === known || reasonOf(code) === known))
      .map((known) => `error-knowledge.ts describes ${known}, which no source has.`);
    if (problems.length > 0) return [...problems, ...stale];
    return [...stale, ...(await compareGenerated(root, page, pageOf(described as ErrorCode[])))];
  },
};

function describe(
  code: string,
  places: readonly ErrorPlace[],
  statuses: ReadonlyMap<string, string>,
): ErrorCode | string {
  const own = places.filter((place) => place.code === code);
  const said = knownOf(code);
  const known = typeof said === "object" ? said : {};
  const kind = known.kind ?? own.find((place) => place.kind !== undefined)?.kind;
  const meaning = known.meaning ?? own.find((place) => place.message !== undefined)?.message;
  const where = `${own[0]!.path}:${own[0]!.line}`;
  if (kind === undefined) return `${where}: the kind of ${code} cannot be read here; say it in error-knowledge.ts.`;
  if (meaning === undefined) return `${where}: ${code} has no message here; say what it means in error-knowledge.ts.`;
  const remedy = (typeof said === "string" ? said : said?.remedy) ?? remedyOfKind[kind];
  if (remedy === undefined) return `${where}: ${code} has the unknown kind ${kind}.`;
  return { code, kind, status: statuses.get(kind) ?? known.status ?? "", meaning, remedy };
}

function knownOf(code: string): string | KnownError | undefined {
  return knownErrors[code] ?? knownErrors[reasonOf(code)];
}

function reasonOf(code: string): string {
  return code.slice(code.indexOf("/") + 1);
}

async function statusOfKinds(root: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(root, "kernel/src/http/statuses.ts"), "utf8");
  const table = /statusOf[^{]*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return new Map([...table.matchAll(/"?([a-z-]+)"?: (\d{3}),/g)].map((match) => [match[1]!, match[2]!]));
}

function pageOf(codes: readonly ErrorCode[]): string {
  const owners = [...new Set(codes.map(({ code }) => code.split("/")[0]!))];
  return [
    "# Error codes",
    "",
    "Made from the source by `npm run check`; what helps is written in `test/src/check/documents/error-knowledge.ts`.",
    "A program decides by the code, which never changes; the message is for people. `…` stands for what is put in.",
    "",
    ...owners.flatMap((owner) => [
      `## ${owner}`,
      "",
      "| Code | Kind | Status | Meaning | What helps |",
      "|---|---|---|---|---|",
      ...codes.filter(({ code }) => code.startsWith(`${owner}/`)).map(rowOf),
      "",
    ]),
  ].join("\n");
}

function rowOf({ code, kind, status, meaning, remedy }: ErrorCode): string {
  return `| \`${code}\` | ${kind} | ${status} | ${meaning.replaceAll("|", "\\|")} | ${remedy} |`;
}
