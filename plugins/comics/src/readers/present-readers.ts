import type { Contributions, Logger, Releasable } from "@longbox/sdk";
import { z } from "zod";
import type { ArchiveReader } from "../contract.js";
import { ReaderSet, type ReaderDescription } from "./reader-set.js";

const id = z.string().regex(/^[a-z0-9]{1,32}$/, "must be lower-case letters and digits");
const own = new Set(["zip", "epub", "tar", "pdf", "folder", "cbz", "comicepub", "cbt", "comicpdf", "images"]);

export const readerSchema = z.object({
  id: id.refine((text) => !own.has(text), "is read by comics itself"),
  title: z.string().min(1).max(50),
  format: id.refine((text) => !own.has(text), "is a format of comics itself"),
  extensions: z.array(id).max(20),
  contentType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
  magic: z
    .array(z.string().regex(/^(?:[0-9a-f]{2}){3,32}$/))
    .min(1)
    .max(20),
  zipMethods: z.array(z.int().min(0).max(0xffff)).max(50).default([]),
  module: z.url({ protocol: /^file$/ }),
});

/** The readers that plugins contribute, as they are now. */
export class PresentReaders {
  #set: ReaderSet;

  /** @param included - the readers of comics itself */
  constructor(
    private readonly contributions: Pick<Contributions<ArchiveReader>, "entries" | "onChange">,
    private readonly log: Logger,
    private readonly included: readonly ReaderDescription[] = [],
  ) {
    this.#set = this.#read();
  }

  get set(): ReaderSet {
    return this.#set;
  }

  /** Called once for changes that come together, such as when one version replaces another. */
  onChange(listener: () => void): Releasable {
    let soon: NodeJS.Immediate | undefined;
    const heard = this.contributions.onChange(() => {
      this.#set = this.#read();
      clearImmediate(soon);
      soon = setImmediate(listener);
    });
    return {
      release() {
        clearImmediate(soon);
        return heard.release();
      },
    };
  }

  #read(): ReaderSet {
    const readers: ReaderDescription[] = [...this.included];
    for (const { plugin, contribution } of this.contributions.entries()) {
      const parsed = readerSchema.safeParse(contribution);
      if (!parsed.success) {
        this.log.error("A reader of archives is not used: it is not described as the contract says", {
          plugin,
          problem: z.prettifyError(parsed.error),
        });
      } else if (readers.some((other) => other.id === parsed.data.id || other.format === parsed.data.format)) {
        this.log.warn("A reader of archives is not used: another plugin reads the same kind", {
          plugin,
          kind: parsed.data.id,
        });
      } else readers.push(parsed.data);
    }
    return new ReaderSet(readers);
  }
}
