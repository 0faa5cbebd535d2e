import { UnreadableArchive } from "../archives/unreadable.js";
import type { KnownKind } from "./known-kinds.js";

/** The file is an archive of a kind that no running plugin reads. */
export class NoReader extends UnreadableArchive {
  readonly code = "comics/no-reader";

  constructor({ title, package: name }: Pick<KnownKind, "title"> & Partial<KnownKind>) {
    const remedy = name === undefined ? "" : ` The package ${name} is one; install it, or switch it on.`;
    super("no-reader", `No reader for ${title} is installed.${remedy}`);
    this.name = "NoReader";
  }
}
