import { once } from "node:events";
import type { Migration } from "@longbox/sdk";
import { rawStatementsOf } from "../../storage/engines/recorded-step.js";
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
    ...(await Promise.all(migrations.map(withoutAnEngine))).flat(),
  ];
}

/** How long a step may take that changes nothing; one that waits for rows is not judged. */
const recordMs = 2_000;

/** A server with the other engine would be the first to find out. */
async function withoutAnEngine(step: Migration): Promise<Mistake[]> {
  const waiting = AbortSignal.timeout(recordMs);
  const raw = await Promise.race([rawStatementsOf(step), once(waiting, "abort").then(() => [])]);
  const missing = (["sqlite", "postgres"] as const).filter((engine) =>
    raw.some((statements) => !Array.isArray(statements[engine])),
  );
  return missing.map((engine): Mistake => {
    const message = `The migration "${step.name}" of definePlugin has raw statements without a list for "${engine}".`;
    return { code: "migration-without-engine", message };
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
