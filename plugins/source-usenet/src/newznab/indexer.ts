import type { Grab, Indexer, Release, SearchControl } from "@longbox/downloads/contract";
import { BadInput, isLongboxError, NotFound, UpstreamFailure, type Answer } from "@longbox/sdk";
import { fileName } from "../file-name.js";
import { isWebAddress } from "../settings.js";
import type { Asking } from "./asking.js";
import { Searching } from "./searching.js";

/** An entry of the settings as downloads asks it. */
export function indexerOf(asking: Asking): Indexer {
  const { entry } = asking;
  const searching = new Searching(asking);
  return {
    id: `source-usenet:${entry.id}`,
    name: entry.name,
    protocol: "usenet",
    enabled: entry.enabled && isWebAddress(entry.url),
    priority: entry.priority,
    search: (query, control) => searching.search(query, control),
    latest: (control) => searching.latest(control),
    grab: (release, control) => grab(asking, release, control),
    resting: () => asking.resting(),
  };
}

async function grab(asking: Asking, { reference, title }: Release, control: SearchControl): Promise<Grab> {
  if (!isWebAddress(reference)) throw new BadInput("source-usenet/not-an-nzb", "The release has no address.");
  const bytes = await bytesOf(await asking.fetchNzb(reference, control));
  try {
    const contents = await asking.readNzb(bytes, control.signal);
    return { kind: "file", name: `${fileName(title)}.nzb`, bytes, contents };
  } catch (fault) {
    control.signal.throwIfAborted();
    const reason = isLongboxError(fault) ? fault.message : "It cannot be read.";
    throw new BadInput("source-usenet/not-an-nzb", reason);
  }
}

async function bytesOf(answer: Answer): Promise<Uint8Array> {
  if (answer.ok) return readBytes(answer);
  await answer.body?.cancel();
  const { status } = answer;
  if (status === 404 || status === 410)
    throw new NotFound("source-usenet/nzb-gone", `The indexer no longer has the NZB (${status}).`);
  if (status === 401 || status === 403)
    throw new UpstreamFailure("source-usenet/not-allowed", "The indexer refuses to give the NZB. Check the API key.");
  throw new UpstreamFailure("source-usenet/no-answer", `The indexer answered ${status}.`);
}

/** An NZB that is too large stays so: it is not asked for again. */
async function readBytes(answer: Answer): Promise<Uint8Array> {
  try {
    return new Uint8Array(await answer.arrayBuffer());
  } catch (fault) {
    if (isLongboxError(fault) && fault.code === "kernel/answer-too-large")
      throw new BadInput("source-usenet/not-an-nzb", "The NZB is larger than 16 MB.");
    throw fault;
  }
}
