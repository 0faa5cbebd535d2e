import { counted, isLongboxError, type PluginContext } from "@longbox/sdk";
import type { JobControl, JobsContract, ResumableJob } from "@longbox/operations/contract";
import type { Inspecting } from "../inspecting/inspecting.js";
import type { FingerprintRecords } from "./fingerprint-records.js";

export interface FillingParts {
  readonly records: FingerprintRecords;
  readonly inspecting: Pick<Inspecting, "fingerprint">;
}

type FillingControl = Pick<JobControl, "signal" | "progress" | "checkpoint">;

const filesAtOnce = 500;

/**
 * Takes the fingerprints of files that were scanned by a version without them. Results are stored in parts,
 * so that an interrupted run continues where it was.
 * @returns how many files were looked at
 */
export async function fillFingerprints(
  { records, inspecting }: FillingParts,
  control: FillingControl,
): Promise<number> {
  let done = 0;
  for (let after = ""; ;) {
    const files = await records.listWithout(after, filesAtOnce);
    const last = files.at(-1);
    if (last === undefined) return done;
    const read = new Map((await inspecting.fingerprint(files.map(({ path }) => path))).map((one) => [one.path, one]));
    control.signal.throwIfAborted();
    await records.fill(files.map((file) => ({ ...file, partialMd5: read.get(file.path)?.partialMd5 })));
    done += files.length;
    control.progress(done);
    after = last.path;
    await control.checkpoint({ after });
  }
}

const kind = "files.fingerprints";

const fillingWork = (parts: FillingParts) => async (control: FillingControl) =>
  `${counted(await fillFingerprints(parts, control), "file", "files")} looked at`;

/** Continues after a restart: the fingerprints that were taken are stored. */
export function fillingResumable(parts: FillingParts): ResumableJob {
  const work = fillingWork(parts);
  return { kind, resume: (_, control) => work(control) };
}

/** Takes missing fingerprints in the background at start, as a job. */
export function startFilling(
  { jobs, ...parts }: FillingParts & { readonly jobs: JobsContract },
  { signal, log }: Pick<PluginContext, "signal" | "log">,
): void {
  const begin = async () => {
    if ((await parts.records.listWithout("", 1)).length === 0) return;
    await jobs.run(kind, "Take fingerprints of files", fillingWork(parts), { key: kind, input: {}, signal });
  };
  begin().catch((thrown: unknown) => {
    const goesOn = isLongboxError(thrown) && thrown.code === "operations/job-running";
    if (!signal.aborted && !goesOn) log.warn("Fingerprints could not be taken", { error: thrown });
  });
}
