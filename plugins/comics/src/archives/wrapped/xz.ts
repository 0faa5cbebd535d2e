import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import * as xzDecompress from "xz-decompress";
import type { ArchiveProblem } from "../../contract/archive-readers.js";
import type { Wrapper } from "./wrapped-reader.js";

/** The package is CommonJS, whose exports Node gives as the default one. */
const { XzReadableStream } = "default" in xzDecompress ? (xzDecompress.default as typeof xzDecompress) : xzDecompress;

/** Of the errors of xz-embedded: XZ_MEMLIMIT_ERROR, XZ_OPTIONS_ERROR, and XZ_BUF_ERROR, which asks for more input. */
const problems: Readonly<Record<string, ArchiveProblem>> = { "4": "too-large", "6": "unsupported", "8": "truncated" };

/** The wrapper of xz. WebAssembly unpacks it, with a dictionary of 64 MiB at most, as `xz -9` makes it. */
export const xz: Wrapper = {
  unpacked: (path) => Readable.fromWeb(new XzReadableStream(Readable.toWeb(createReadStream(path)))),
  problemOf(thrown) {
    const [, code] = (thrown instanceof Error && /error code (\d+)/.exec(thrown.message)) || [];
    return code === undefined ? undefined : problems[code];
  },
};
