import { defineRoute, type Contributions, type Logger, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { HealthCheck, HealthFinding } from "../contract.js";
import { sentence } from "../tools/sentence.js";
import { findingSchema } from "../shapes.js";

/** A check that takes longer than this is reported as slow instead of holding up the others. */
const checkLimitMs = 10_000;

const rank = { error: 0, warning: 1, ok: 2 } as const;

/** `GET /api/health/checks`: what every plugin knows to be wrong, worst first. */
export function healthRoutes(checks: Contributions<HealthCheck>, log: Logger): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/health/checks",
      access: "system.logs",
      summary: "What is wrong with the server, and what to do about it",
      response: z.array(findingSchema),
      async handle() {
        const findings = await Promise.all(checks.entries().map((entry) => findingsOf(entry, log)));
        return findings.flat().toSorted((a, b) => rank[a.level] - rank[b.level]);
      },
    }),
  ];
}

async function findingsOf(
  { plugin, contribution }: { plugin: string; contribution: HealthCheck },
  log: Logger,
): Promise<readonly HealthFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error("it took too long")), checkLimitMs)),
  );
  try {
    return await Promise.race([contribution.check(), late]);
  } catch (fault) {
    log.warn("A health check failed.", { plugin, fault: String(fault) });
    return [
      {
        id: `${plugin}.check`,
        title: `The checks of ${plugin}`,
        level: "warning",
        advice: `${sentence(`They could not be made: ${fault instanceof Error ? fault.message : String(fault)}`)} See the log.`,
      },
    ];
  } finally {
    clearTimeout(timer);
  }
}
