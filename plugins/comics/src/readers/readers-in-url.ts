import { ReaderSet, type ReaderDescription } from "./reader-set.js";

const parameter = "readers";

/**
 * Names the readers in the URL of a module that other threads import: with other readers it is another module, so that
 * a thread never continues with former readers.
 */
export function withReaders(module: string, { readers }: ReaderSet): string {
  const url = new URL(module);
  url.searchParams.set(parameter, JSON.stringify(readers));
  return url.href;
}

/** The readers that the URL of a module names. */
export function readersIn(module: string): ReaderSet {
  const text = new URL(module).searchParams.get(parameter);
  return new ReaderSet(text === null ? [] : (JSON.parse(text) as ReaderDescription[]));
}
