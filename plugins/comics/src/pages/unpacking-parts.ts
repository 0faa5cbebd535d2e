import type { PluginContext, WorkerLimits } from "@longbox/sdk";
import type { Unpacking } from "../archives/unpacked-archive.js";
import type { FromUnpackThread, ToUnpackThread } from "../archives/unpacking/tasks.js";
import { Unpacker, type UnpackThread } from "../archives/unpacking/unpacker.js";
import type { PresentReaders } from "../readers/present-readers.js";

const keptPagesBytes = 2 * 1024 * 1024 * 1024;

/** What is needed to read archives that must be unpacked: a thread, a place to work, and a cache of pages. */
export async function openUnpacking(context: PluginContext, readers: PresentReaders): Promise<Unpacking> {
  const folder = await context.storage.temporaryFolder();
  const pages = await context.storage.cache("unpacked-pages", { maxBytes: keptPagesBytes });
  return {
    readers: () => readers.set,
    folder,
    pages,
    unpacker: context.own(new Unpacker(() => startThread(context))),
    // The process keeps its limit by itself; what else this server takes meanwhile does not matter to it.
    drawer: context.own(new Unpacker(() => startThread(context, drawing), { memoryBytes: Number.POSITIVE_INFINITY })),
  };
}

/**
 * Archives of others may end the thread. Without a limit of its own, a heap grows by what the machine has before it is
 * cleaned; what unpacks needs buffers, which do not count.
 */
const unpacking: WorkerLimits = { heapMegabytes: 256, expendable: true };

/** For a page of a PDF: A4 at 600 dots to the inch, its image and its copy as JPEG take less. */
const drawing: WorkerLimits = { processMegabytes: 400, expendable: true };

/** Copying a large archive over a slow network takes a while. */
const longestRewritingMs = 30 * 60_000;

/** A thread for writing tags and archives, so that readers do not wait for it. */
export function rewritingThread(context: PluginContext): Unpacker {
  return new Unpacker(() => startThread(context), { taskMs: longestRewritingMs });
}

function startThread(context: PluginContext, limits = unpacking): UnpackThread {
  const worker = context.worker<ToUnpackThread, FromUnpackThread>("unpack", undefined, limits);
  const { signal } = context;
  return {
    post: (message) => worker.post(message),
    onMessage: (listener) => void worker.onMessage(listener),
    onEnd: (listener) => void worker.ended.then(() => listener(signal.aborted ? signal.reason : undefined), listener),
    release: () => worker.release(),
  };
}
