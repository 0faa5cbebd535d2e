import { Catalog, Collection } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { TestHost } from "@longbox/sdk/testing";

/** Tracks a series of three issues of which nothing is owned. @returns the ids of its issues, by number */
export async function wantMoths(host: TestHost): Promise<{ seriesId: number; issues: ReadonlyMap<string, number> }> {
  const { seriesId } = await host.use(Catalog).addVolume(
    {
      cvId: 5001,
      title: "Moth Patrol",
      publisher: "Lamplight",
      year: 2019,
      aliases: [],
      status: "ended",
      issues: ["1", "2", "3"].map((number) => ({ cvIssueId: 50010 + Number(number), number })),
    },
    { viewer: systemViewer },
  );
  const issues = await host.use(Collection).listIssues(seriesId, systemViewer);
  return { seriesId, issues: new Map(issues.map(({ number, id }) => [number, id])) };
}
