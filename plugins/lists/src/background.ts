import { Conflict, systemViewer, type OptionalCapability, type PluginContext, type User, type Viewer } from "@longbox/sdk";
import type { JobControl, JobsContract } from "@longbox/operations/contract";

/** What long work is given; a job's control, or what stands in for one where nobody keeps jobs. */
export type WorkControl = Pick<JobControl, "signal" | "progress">;
export type Work = (control: WorkControl) => Promise<string | void>;

export interface Errand {
  readonly kind: string;
  readonly title: string;
  /** Only one errand of a key is under way at a time. */
  readonly key: string;
  /** JSON that is enough to begin again after a restart. */
  readonly input: unknown;
}

/** Runs long work as jobs; without a plugin that keeps jobs it runs all the same, and ends with this plugin. */
export class Background {
  readonly #jobs: OptionalCapability<JobsContract>;
  readonly #context: Pick<PluginContext, "signal" | "log">;
  readonly #running = new Set<string>();

  constructor(jobs: OptionalCapability<JobsContract>, context: Pick<PluginContext, "signal" | "log">) {
    this.#jobs = jobs;
    this.#context = context;
  }

  /** @throws {Conflict} when an errand of the same key is under way */
  async run(errand: Errand, work: Work): Promise<{ jobId: number | undefined; ended: Promise<void> }> {
    const { signal } = this.#context;
    if (this.#jobs.available()) {
      const handle = await this.#jobs.use.run(errand.kind, errand.title, work, { signal, key: errand.key, input: errand.input, concurrency: 2 });
      return { jobId: handle.id, ended: handle.ended.then(() => undefined) };
    }
    if (this.#running.has(errand.key)) throw new Conflict("lists/under-way", `"${errand.title}" is under way.`);
    this.#running.add(errand.key);
    const ended = work({ signal, progress: () => undefined })
      .catch((fault: unknown) => this.#context.log.warn("Work for a list ended early", { errand: errand.title, fault }))
      .then(() => void this.#running.delete(errand.key));
    return { jobId: undefined, ended };
  }
}

/** What is kept of a viewer, so that work begun for somebody goes on with no more rights than it began with. */
export interface KeptViewer {
  readonly user: User;
  readonly seesRestricted: boolean;
  readonly permissions: readonly string[];
}

/** The permissions that long work of this plugin asks about. */
const asked = ["library.manage", "downloads.grab"] as const;

export function keepViewer(viewer: Viewer): KeptViewer {
  const { id, username, role } = viewer.user;
  return { user: { id, username, role }, seesRestricted: viewer.seesRestricted, permissions: asked.filter((permission) => viewer.may(permission)) };
}

export function restoreViewer(kept: KeptViewer): Viewer {
  if (kept.user.id === systemViewer.user.id) return systemViewer;
  return { user: kept.user, seesRestricted: kept.seesRestricted, may: (permission) => kept.permissions.includes(permission) };
}
