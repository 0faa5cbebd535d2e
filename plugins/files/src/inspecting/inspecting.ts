import type { Logger } from "@longbox/sdk";
import { describeFormats, type Formats } from "../formats/formats.js";
import type { FingerprintedPath, RefusedFile } from "../scan/messages.js";
import type { InspectedPath } from "./inspected-path.js";
import type { InspectingThreads } from "./inspecting-threads.js";
import { DiedOfFile } from "./watched-thread.js";

export interface InspectingParts {
  readonly formats: Formats;
  readonly threads: InspectingThreads;
  readonly log: Logger;
}

/** Looks into files outside the libraries, in a thread. */
export class Inspecting {
  constructor(private readonly parts: InspectingParts) {}

  /** In the order of the paths. Files that are gone are left out; those of which a thread dies say so. */
  async inspect(paths: readonly string[]): Promise<readonly InspectedPath[]> {
    const found = new Map<string, InspectedPath>();
    const refused: RefusedFile[] = [];
    for (let isWhole = paths.length === 0; !isWhole;) {
      const rest = paths.filter((path) => !found.has(path));
      isWhole = await this.#runThread(rest, refused, found).then(
        () => true,
        (thrown: unknown) => {
          if (!(thrown instanceof DiedOfFile) || refused.some(({ path }) => path === thrown.path)) throw thrown;
          this.parts.log.warn("A file stopped the inspecting thread", { path: thrown.path, reason: thrown.reason });
          refused.push({ path: thrown.path, error: thrown.reason });
          return false;
        },
      );
    }
    return paths.flatMap((path) => found.get(path) ?? []);
  }

  /** The fingerprints of these files. Files that cannot be read have none. */
  fingerprint(paths: readonly string[]): Promise<readonly FingerprintedPath[]> {
    return this.parts.threads.run((thread) => {
      const { promise: finished, resolve } = Promise.withResolvers<readonly FingerprintedPath[]>();
      thread.onMessage((message) => {
        if (message.kind === "fingerprints") resolve(message.files);
      });
      thread.post({ kind: "fingerprint", paths, shared: thread.shared });
      return Promise.race([finished, thread.died]);
    });
  }

  #runThread(
    paths: readonly string[],
    refused: readonly RefusedFile[],
    found: Map<string, InspectedPath>,
  ): Promise<void> {
    return this.parts.threads.run((thread) => {
      const { promise: finished, resolve } = Promise.withResolvers<void>();
      thread.onMessage((message) => {
        if (message.kind !== "inspected") return;
        for (const file of message.files) found.set(file.path, file);
        if (message.last) resolve();
      });
      const { shared, limits } = thread;
      const formats = describeFormats(this.parts.formats.all());
      thread.post({ kind: "inspect", paths, formats, shared, refused, longestMs: limits.longestMs });
      return Promise.race([finished, thread.died]);
    });
  }
}
