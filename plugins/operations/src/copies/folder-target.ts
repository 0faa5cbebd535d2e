// Copies of backups in a folder, such as one of another disk or of the network.
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CopyPlaceUnusable } from "../errors.js";
import { copiesAmong, type Copy, type CopyTarget } from "./target.js";

/** A folder that has to be there: one that is made would hide that a disk is not mounted. */
export class FolderTarget implements CopyTarget {
  readonly title: string;

  constructor(folder: string) {
    if (!isAbsolute(folder)) throw new CopyPlaceUnusable("copyFolder", "must be an absolute path of this machine");
    this.title = folder;
  }

  async list(): Promise<Copy[]> {
    const names = await this.#there(() => readdir(this.title));
    return copiesAmong(
      await Promise.all(names.map(async (name) => ({ name, sizeBytes: (await stat(join(this.title, name))).size }))),
    );
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const temporary = join(this.title, `.${name}.${randomUUID()}.part`);
    try {
      await this.#there(() => pipeline(content, createWriteStream(temporary, { mode: 0o600, flags: "wx" })));
      const file = await open(temporary);
      await file.sync().finally(() => file.close());
      await rename(temporary, join(this.title, name));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    return createReadStream(join(this.title, name), { highWaterMark: 1_048_576 });
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.title, name), { force: true });
  }

  async #there<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((fault: NodeJS.ErrnoException) => {
      const reason = reasons[fault.code ?? ""];
      throw reason === undefined ? fault : new CopyPlaceUnusable("copyFolder", reason);
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "it is not a folder",
  EACCES: "the server may not read or write it",
  EPERM: "the server may not read or write it",
  EROFS: "it cannot be written to",
  ENOSPC: "the disk is full",
};
