import type { ReadableDatabase } from "../../engines/driver.js";
import { StorageClosed } from "../../storage-closed.js";
import type { ReaderQuestion } from "../reader-thread.js";
import { givenUpBy } from "./given-up.js";
import { StatementProcess, type StatementLimits } from "./statement-process.js";

interface Reader {
  readonly process: StatementProcess;
  /** The end of the last question that was asked. */
  last: Promise<unknown>;
}

/** The heavy reading of isolated plugins: a process for each file, one question at a time. */
export class ConfinedReaders {
  readonly #readers = new Map<string, Reader>();
  readonly #limits: StatementLimits;

  constructor(limits: StatementLimits) {
    this.#limits = limits;
  }

  /** @param reads - what is under way, to be ended with the storage */
  async read(
    { path, sql, parameters }: ReaderQuestion,
    { signal, reads }: { readonly signal: AbortSignal | undefined } & Pick<ReadableDatabase, "reads">,
  ): Promise<unknown[]> {
    const reader = this.#readerOf(path);
    const { last: before, process } = reader;
    const ending = { end: () => process.end(new StorageClosed()) };
    const mine = before.then(() => {
      if (this.#readers.get(path) !== reader) throw new StorageClosed();
      reads.add(ending);
      return givenUpBy(signal, process, () => process.run(sql, parameters));
    });
    reader.last = mine.catch(() => undefined).then(() => void reads.delete(ending));
    return (await mine).rows;
  }

  /** Closes a file. */
  async forget(path: string): Promise<void> {
    const reader = this.#readers.get(path);
    this.#readers.delete(path);
    await reader?.process.close();
  }

  async release(): Promise<void> {
    await Promise.all([...this.#readers.keys()].map((path) => this.forget(path)));
  }

  #readerOf(path: string): Reader {
    const reader = this.#readers.get(path) ?? {
      process: new StatementProcess(path, "reads", this.#limits),
      last: Promise.resolve(),
    };
    this.#readers.set(path, reader);
    return reader;
  }
}
