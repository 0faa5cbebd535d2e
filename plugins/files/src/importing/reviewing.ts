import { BadInput, systemViewer } from "@longbox/sdk";
import type { Inspecting } from "../inspecting/inspecting.js";
import { lookAtSource } from "../placing/source.js";
import type { Candidates } from "./candidates.js";
import { groupsOf } from "./finding.js";
import type { Judging } from "./judging.js";

export interface ReviewingParts {
  readonly candidates: Candidates;
  readonly judging: Judging;
  readonly inspecting: Inspecting;
  readonly announce: () => void;
}

const mostPaths = 1000;
const longestReason = 500;

/** Adds files of other plugins to the review of imports. */
export class Reviewing {
  constructor(private readonly parts: ReviewingParts) {}

  async handOver(paths: readonly string[], reason: string): Promise<{ candidateIds: number[] }> {
    if (paths.length === 0 || paths.length > mostPaths)
      throw new BadInput("files/bad-path", `Between 1 and ${mostPaths} files can be handed over at once.`, {
        paths: `are ${paths.length}`,
      });
    if (reason.trim() === "" || reason.length > longestReason)
      throw new BadInput("files/bad-request", "The reason must be a sentence.", {
        reason: `must have 1 to ${longestReason} characters`,
      });
    for (const [index, path] of paths.entries()) await lookAtSource(path, `paths.${index}`);
    const { candidates, judging, inspecting, announce } = this.parts;
    const candidateIds: number[] = [];
    for (const group of groupsOf(await inspecting.inspect([...new Set(paths)]), "")) {
      const judgement = await judging.judge(group, systemViewer);
      candidateIds.push(
        await candidates.handOver(group, { ...judgement, reasons: [reason.trim(), ...judgement.reasons] }),
      );
    }
    announce();
    return { candidateIds };
  }
}
