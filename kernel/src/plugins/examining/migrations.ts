import { once } from "node:events";
import type { EngineStatements, Migration } from "@longbox/sdk";
import { runOf } from "../../storage/engines/recorded-step.js";
import type { Mistake } from "./mistakes.js";

/** The mistakes of the steps of a plugin's tables that show without applying them. */
export async function examineMigrations(migrations: readonly Migration[]): Promise<Mistake[]> {
  const incomplete = migrations.flatMap(incompleteMigration);
  if (incomplete.length > 0) return incomplete;
  const names = migrations.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  const late = names.find((name, at) => at > 0 && name < names[at - 1]!);
  return [
    ...[...twice].map((name): Mistake => {
      return { code: "migration-twice", message: `Two migrations have the name "${name}".` };
    }),
    ...(late === undefined ? [] : [outOfOrder(late, names[names.indexOf(late) - 1]!)]),
    ...(await Promise.all(migrations.map(withinStep))).flat(),
  ];
}

/** How long a step may take that changes nothing; one that waits for rows is not judged. */
const recordMs = 2_000;

async function withinStep(step: Migration): Promise<Mistake[]> {
  const waiting = AbortSignal.timeout(recordMs);
  const run = await Promise.race([runOf(step), once(waiting, "abort").then(() => undefined)]);
  if (run === undefined) return [];
  const named = `The migration "${step.name}" of definePlugin`;
  if (run.late) {
    const message = `${named} runs a statement after it has ended: await each execute().`;
    return [{ code: "migration-not-awaited", message }];
  }
  if (run.isEmpty) {
    const message = `${named} runs no statement: a builder of Kysely does nothing before its execute().`;
    return [{ code: "migration-empty", message }];
  }
  return [...withoutAnEngine(named, run.raw), ...severalInOne(named, run.raw)];
}

/** A server with the other engine would be the first to find out. */
function withoutAnEngine(named: string, raw: readonly Partial<EngineStatements>[]): Mistake[] {
  const missing = engines.filter((engine) => raw.some((statements) => !Array.isArray(statements[engine])));
  return missing.map((engine): Mistake => {
    const message = `${named} has raw statements without a list for "${engine}".`;
    return { code: "migration-without-engine", message };
  });
}

const engines = ["sqlite", "postgres"] as const;
/** What may hold a semicolon that ends no statement. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|(\$\w*\$)[^]*?\1|--[^\n]*|\/\*[^]*?\*\//g;
const withBody = /^\s*create\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?(?:constraint\s+)?(?:trigger|function|procedure)\b/i;

/** Of several statements in one text, SQLite runs the first and says nothing. */
function severalInOne(named: string, raw: readonly Partial<EngineStatements>[]): Mistake[] {
  const texts = raw.flatMap((statements) => engines.flatMap((engine) => statements[engine] ?? []));
  return texts
    .filter((text) => !withBody.test(text) && /;\s*[^\s;]/.test(text.replaceAll(quoted, "")))
    .slice(0, 1)
    .map((text): Mistake => {
      const message = `${named} has several statements in one text, of which only the first runs: ${text.slice(0, 80)}`;
      return { code: "migration-statements", message };
    });
}

/** What the type of a migration asks for; nothing checks types when a plugin is packed. */
function incompleteMigration(step: Partial<Migration> | undefined, at: number): Mistake[] {
  const { name, up } = step ?? {};
  if (typeof name !== "string" || name.trim() === "") {
    const message = `The migration at place ${at + 1} of definePlugin has no name, such as "0001-lamps".`;
    return [{ code: "migration-incomplete", message }];
  }
  if (typeof up === "function") return [];
  return [{ code: "migration-incomplete", message: `The migration "${name}" of definePlugin has no function "up".` }];
}

function outOfOrder(late: string, before: string): Mistake {
  const message = `The migration "${late}" stands after "${before}", and its name sorts before it: migrations run in the order of their names.`;
  return { code: "migrations-out-of-order", message };
}
