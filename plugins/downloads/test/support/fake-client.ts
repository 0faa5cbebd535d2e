import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientDownload, DownloadClient, Grab, Indexer, Release } from "@longbox/downloads/contract";

interface Held {
  readonly key: string;
  readonly grab: Grab;
  download: ClientDownload;
}

/** A torrent client that does what a test says. */
export class FakeClient {
  readonly held = new Map<string, Held>();
  polls = 0;
  added = 0;
  isAway = false;
  /** How often it was asked while it was away. */
  refused = 0;
  /** Throws after it has added: as when the answer is lost. */
  losesAnswer = false;

  constructor(private readonly folder: string) {}

  readonly contribution: DownloadClient = {
    id: "fake-source:client",
    name: "Fake client",
    enabled: true,
    protocol: "torrent",
    shares: true,
    removesImported: false,
    add: async (grab, { key }) => {
      this.#answer();
      this.added += 1;
      const id = `d${this.added}`;
      this.held.set(id, { key, grab, download: { id, sizeBytes: 100, progress: 0, state: "downloading" } });
      if (this.losesAnswer) {
        this.losesAnswer = false;
        throw new Error("The connection broke off.");
      }
      return { id };
    },
    find: async ({ key }) => {
      this.#answer();
      const found = [...this.held].find(([, held]) => held.key === key);
      return found && { id: found[0] };
    },
    poll: async (ids) => {
      this.#answer();
      this.polls += 1;
      return ids.flatMap((id) => this.held.get(id)?.download ?? []);
    },
    remove: async (id) => {
      this.#answer();
      this.held.delete(id);
    },
  };

  /** Finishes the newest download with these files. */
  async finish(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const [id, held] = [...this.held].at(-1)!;
    const path = join(this.folder, id);
    await mkdir(path, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(path, name), bytes);
    held.download = { id, sizeBytes: 100, progress: 1, state: "completed", path };
  }

  fail(reason: string): void {
    const [id, held] = [...this.held].at(-1)!;
    held.download = { id, sizeBytes: 100, progress: 0.5, state: "failed", failure: "incomplete", reason };
  }

  #answer(): void {
    if (!this.isAway) return;
    this.refused += 1;
    throw new Error("The client does not answer.");
  }
}

/** An indexer of torrents with these releases. */
export function fakeIndexer(releases: readonly Release[]): Indexer {
  return {
    id: "fake-source:indexer",
    name: "Fake indexer",
    enabled: true,
    protocol: "torrent",
    search: async () => releases,
    grab: async ({ guid }) => ({ kind: "file", name: `${guid}.torrent`, bytes: new TextEncoder().encode(guid) }),
  };
}

export const torrent = (guid: string, title: string): Release => ({
  guid,
  title,
  protocol: "torrent",
  reference: guid,
  seeders: 5,
  sizeBytes: 10_000_000,
});
