import type { Contributions, Releasable } from "@longbox/sdk";
import { z } from "zod";
import type { JobWork, ResumableJob, Schedule, Tool } from "../contract.js";
import { presenceOf } from "./presence.js";

/** How a job of some kind goes on. Release it when the job has ended. */
export interface Continuation extends Releasable {
  /** Aborts when the plugin that can resume the job stops. */
  readonly signal: AbortSignal;
  work(start: { readonly input: unknown; readonly checkpoint: unknown }): JobWork;
  readonly onChange?: () => void;
}

export interface ResumingParts {
  readonly kinds: Contributions<ResumableJob>;
  readonly tools: Contributions<Tool>;
  readonly schedules: Contributions<Schedule>;
}

export const toolKind = (id: string) => `tool.${id}`;
export const scheduleKind = (key: string) => `schedule.${key}`;
const toolInput = z.object({ dryRun: z.boolean() });

/** Finds who can go on with a job that was cut off: a plugin's own kind, a tool, or a schedule. */
export class Resuming {
  constructor(private readonly parts: ResumingParts) {}

  find(kind: string): Continuation | undefined {
    const { kinds, tools, schedules } = this.parts;
    const own = kinds.all().find((candidate) => candidate.kind === kind);
    if (own)
      return {
        ...presence(kinds, own),
        work: (start) => (control) => own.resume(start, control),
        onChange: () => own.onChange?.(),
      };
    const tool = tools.all().find(({ id, resumes }) => resumes && toolKind(id) === kind);
    if (tool)
      return {
        ...presence(tools, tool),
        work: ({ input }) => {
          const order = toolInput.parse(input);
          return (control) => tool.run(order, control);
        },
      };
    const schedule = schedules.all().find(({ key, resumes }) => resumes && scheduleKind(key) === kind);
    return schedule && { ...presence(schedules, schedule), work: () => (control) => schedule.run(control) };
  }

  onChange(listener: () => void): Releasable {
    const { kinds, tools, schedules } = this.parts;
    const listening = [kinds, tools, schedules].map((offered) => offered.onChange(listener));
    return {
      async release() {
        for (const one of listening) await one.release();
      },
    };
  }
}

function presence<T extends object>(offered: Contributions<T>, offer: T): Pick<Continuation, "signal" | "release"> {
  const { signal, release } = presenceOf(offered, offer);
  return { signal, release };
}
