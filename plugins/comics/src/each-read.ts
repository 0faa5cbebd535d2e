import type { FilesEngine, ReadRecord } from "@longbox/files/contract";

const filesAtOnce = 500;

/** The files that the engine has read, a part at a time. @throws what the signal says once it aborts */
export async function* eachRead(
  engine: FilesEngine,
  query: { readonly format?: string; readonly tagged?: boolean },
  signal: AbortSignal,
): AsyncGenerator<ReadRecord> {
  for (let after: string | undefined; ;) {
    const part = await engine.listRead({ ...query, ...(after !== undefined && { after }), limit: filesAtOnce });
    for (const file of part) {
      signal.throwIfAborted();
      yield file;
    }
    if (part.length < filesAtOnce) return;
    after = part.at(-1)!.path;
  }
}
