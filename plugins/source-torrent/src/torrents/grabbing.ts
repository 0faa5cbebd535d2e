import type { Grab, Release, SearchControl } from "@longbox/downloads/contract";
import { BadInput, isLongboxError, NotFound, type Answer, type PluginContext, type TaskThread } from "@longbox/sdk";
import type { ParsingTasks } from "../parsing-tasks.js";
import type { IndexerEntry } from "../settings.js";
import { failureOf } from "../torznab/asking.js";
import { readMagnet } from "./magnet.js";
import { anotherTorrent, checkPromised, isAmong } from "./promised.js";
import type { Torrent } from "./torrent.js";

const mostBytes = 16 * 1024 * 1024;
const patienceMs = 60_000;
const mostRedirects = 5;

export interface GrabbingParts {
  readonly context: Pick<PluginContext, "host">;
  readonly thread: TaskThread<ParsingTasks>;
  readonly entry: IndexerEntry;
}

/** Fetches what a client needs of a release, and checks it. */
export class Grabbing {
  constructor(private readonly parts: GrabbingParts) {}

  /** @throws {NotFound} @throws {BadInput} @throws {UpstreamFailure} as the contract of indexers says */
  async grab(release: Release, control: SearchControl): Promise<Grab> {
    const found = await this.#fetch(release.reference, control);
    if (typeof found === "string") return magnetOf(found, release);
    const torrent = await this.#read(found, control);
    checkPromised(torrent, release);
    const { infoHash, files: contents } = torrent;
    return { kind: "file", name: `${infoHash}.torrent`, bytes: found, infoHash, contents };
  }

  /** The bytes of a torrent file, or a magnet link: indexers redirect to one, which no `fetch` follows by itself. */
  async #fetch(reference: string, control: SearchControl): Promise<Uint8Array | string> {
    let address = reference;
    for (let followed = 0; followed <= mostRedirects; followed += 1) {
      if (/^magnet:/iu.test(address)) return address;
      const answer = await this.#ask(address, control);
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : undefined;
      if (typeof location !== "string") return bytesOf(answer);
      await answer.body?.cancel();
      if (!URL.canParse(location, address)) throw elsewhere();
      address = new URL(location, address).href;
      if (!/^(?:https?|magnet):/iu.test(address)) throw elsewhere();
    }
    throw new BadInput("source-torrent/not-a-torrent", "The indexer redirects the download without end.");
  }

  async #ask(address: string, { signal, urgency }: SearchControl): Promise<Answer> {
    const options = { signal, urgency, maxBytes: mostBytes, timeoutMs: patienceMs, redirect: "manual" } as const;
    const publicOnly = new URL(address).origin !== new URL(this.parts.entry.url).origin;
    try {
      return await this.parts.context.host(address).fetch(address, {
        ...options,
        headers: { accept: "application/x-bittorrent, */*;q=0.1" },
        ...(publicOnly && { publicOnly }),
      });
    } catch (fault) {
      // It says something of the release, not of a server that could answer later.
      if (isLongboxError(fault) && /^kernel\/(?:address-not-public|answer-too-large)$/u.test(fault.code))
        throw new BadInput("source-torrent/not-a-torrent", fault.message);
      throw fault;
    }
  }

  async #read(bytes: Uint8Array, { signal }: SearchControl): Promise<Torrent> {
    try {
      return await this.parts.thread.run("torrent", bytes, signal);
    } catch (fault) {
      signal.throwIfAborted();
      const reason = isLongboxError(fault) ? fault.message : "The torrent cannot be read.";
      throw new BadInput("source-torrent/not-a-torrent", reason);
    }
  }
}

async function bytesOf(answer: Answer): Promise<Uint8Array> {
  if (answer.ok)
    return new Uint8Array(
      await answer.arrayBuffer().catch((fault: unknown) => {
        if (isLongboxError(fault) && fault.code === "kernel/answer-too-large")
          throw new BadInput("source-torrent/not-a-torrent", fault.message);
        throw fault;
      }),
    );
  await answer.body?.cancel();
  if (answer.status === 404 || answer.status === 410)
    throw new NotFound("source-torrent/release-gone", "The indexer no longer has this torrent.");
  throw failureOf(answer);
}

function magnetOf(text: string, { infoHash: promised }: Release): Grab {
  const magnet = readMagnet(text);
  if (!magnet) throw new BadInput("source-torrent/not-a-torrent", "The magnet link names no torrent.");
  if (promised !== undefined && !isAmong(magnet.hashes, promised)) throw anotherTorrent();
  return { kind: "magnet", uri: magnet.uri, infoHash: magnet.infoHash };
}

const elsewhere = () =>
  new BadInput(
    "source-torrent/not-a-torrent",
    "The indexer redirects the download to an address that is not on the web.",
  );
