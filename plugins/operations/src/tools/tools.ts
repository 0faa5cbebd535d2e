import type { Contributions } from "@longbox/sdk";
import type { Tool } from "../contract.js";
import { NoDryRun, NoSuchTool } from "../errors.js";
import type { Jobs } from "../jobs/jobs.js";
import { toolKind } from "../jobs/resuming.js";

export interface ToolRow {
  id: string;
  title: string;
  description: string;
  /** Whether the tool can say what it would do. */
  dryRun: boolean;
  running: boolean;
}

/** Maintenance that plugins offer and a person starts; each run is a job. */
export class Tools {
  constructor(
    private readonly offered: Contributions<Tool>,
    private readonly jobs: Jobs,
  ) {}

  list(): ToolRow[] {
    return this.offered
      .all()
      .map((tool) => ({
        id: tool.id,
        title: tool.title,
        description: tool.description,
        dryRun: tool.touchesFiles,
        running: this.jobs.isBusy(toolKind(tool.id)),
      }))
      .toSorted((a, b) => a.title.localeCompare(b.title));
  }

  async run(id: string, order: { dryRun: boolean }): Promise<{ jobId: number }> {
    const tool = this.offered.all().find((candidate) => candidate.id === id);
    if (!tool) throw new NoSuchTool(id);
    if (order.dryRun && !tool.touchesFiles) throw new NoDryRun(id);
    const title = order.dryRun ? `${tool.title} (trial)` : tool.title;
    const handle = await this.jobs.runOffered(this.offered, tool, {
      kind: toolKind(id),
      title,
      ...(tool.resumes && { input: order }),
      work: (control) => tool.run(order, control),
    });
    return { jobId: handle.id };
  }
}
