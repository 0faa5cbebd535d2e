import { hash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesImporting } from "@longbox/files/contract";
import type { Viewer } from "@longbox/sdk";
import type { Arrivals } from "./arrivals.js";
import { wantedByName } from "./wanted.js";

interface Sources {
  readonly library: CollectionContract;
  readonly importing: FilesImporting;
  readonly arrivals: Arrivals;
  /** A folder of this plugin, for files on their way. */
  readonly folder: string;
}

export interface Attachment {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly box: string;
}

/** Brings an attachment to the wanted issue that it is. */
export class Receiving {
  constructor(private readonly sources: Sources) {}

  /**
   * A mail server that heard no answer posts again: the same bytes for the same issue are imported once.
   * @throws {NotFound} `wanted-by-mail/not-wanted` @throws {Conflict} `wanted-by-mail/ambiguous`; what
   *   `files.importing` throws
   */
  async receive({ name, bytes, box }: Attachment, viewer: Viewer): Promise<Issue> {
    const { library, importing, arrivals, folder } = this.sources;
    const issue = await wantedByName(library, name, viewer);
    const digest = hash("sha256", bytes);
    const path = join(folder, `${digest}${extname(name).toLowerCase()}`);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(path, bytes);
      await importing.place({ path, key: `${issue.id} ${digest}`, issueId: issue.id, mode: "move" }, viewer);
    } finally {
      await rm(path, { force: true });
    }
    await arrivals.add({ issueId: issue.id, box, fileName: name });
    return issue;
  }
}
