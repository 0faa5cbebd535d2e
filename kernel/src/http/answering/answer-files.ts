import { randomUUID } from "node:crypto";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { inject, injectable } from "../../injection.js";
import { DataFolder } from "../../kernel-tokens.js";

/** Answers with more bytes than this wait in a file for a client that reads slowly, not in memory. */
const largestInMemoryBytes = 8 * 1024 * 1024;
/** All answers together that are being sent hold no more than this, beside the small ones. */
const mostUnderWayBytes = 48 * 1024 * 1024;
/** These cost less in memory than a file costs in time. */
const smallBytes = 256 * 1024;

/** An answer in a file that has no name any more: it goes with its descriptor, also when the process is killed. */
export interface AnswerFile {
  readonly kind: "open-file";
  readonly file: FileHandle;
  readonly length: number;
  readonly contentType: string;
}

/** Puts large answers into nameless files, in a folder of the cache that is made when it is first needed. */
@injectable()
export class AnswerFiles {
  readonly #folder: string;
  #underWayBytes = 0;

  constructor(@inject(DataFolder) dataFolder: string) {
    this.#folder = join(dataFolder, "kernel", "cache", "answers");
  }

  /** Whether an answer should wait in a file: it is large by itself, or clients that read slowly hold much already. */
  isTooLarge(bytes: number): boolean {
    if (bytes <= smallBytes) return false;
    return bytes > largestInMemoryBytes || this.#underWayBytes + bytes > mostUnderWayBytes;
  }

  /** Counts bytes in memory until their answer has been handed to the system, or its client has gone. */
  count(bytes: number, response: ServerResponse): void {
    if (bytes <= smallBytes) return;
    this.#underWayBytes += bytes;
    response.once("close", () => (this.#underWayBytes -= bytes));
  }

  /** @returns undefined where no file can be written, such as on a full disk: then memory has to do */
  async keep(bytes: Uint8Array | string, contentType: string): Promise<AnswerFile | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await this.#nameless();
      await file.writeFile(bytes);
      return { kind: "open-file", file, length: (await file.stat()).size, contentType };
    } catch {
      await file?.close();
      return undefined;
    }
  }

  async #nameless(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, randomUUID());
    const file = await open(path, "wx+", 0o600);
    await rm(path, { force: true });
    return file;
  }
}
