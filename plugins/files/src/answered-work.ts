import { Conflict } from "@longbox/sdk";
import type { JobControl, JobOptions, JobsContract } from "@longbox/operations/contract";

/** Work among the jobs whose result a request waits for. */
export interface AnsweredWork<T> {
  readonly kind: string;
  readonly title: string;
  perform(control: JobControl): Promise<T>;
}

/**
 * Does the work as a job. What it throws is thrown here as well.
 * @throws {Conflict} `files/cancelled` when the job was cancelled before it began
 */
export async function answerWithJob<T>(
  jobs: JobsContract,
  { kind, title, perform }: AnsweredWork<T>,
  options: JobOptions,
): Promise<T> {
  let outcome: { readonly result: T } | { readonly thrown: unknown } | undefined;
  const work = async (control: JobControl) => {
    try {
      outcome = { result: await perform(control) };
    } catch (thrown) {
      outcome = { thrown };
      throw thrown;
    }
    control.signal.throwIfAborted();
  };
  const { ended } = await jobs.run(kind, title, work, options);
  const job = await ended;
  if (outcome === undefined) throw new Conflict("files/cancelled", job.error ?? "It was cancelled.");
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.result;
}
