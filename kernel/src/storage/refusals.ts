// Refuses what is asked of a storage that has been closed, and tells that it happened.
import { StorageClosed } from "./storage-closed.js";

/** Shared by everything that was opened through one storage. */
export class Refusals {
  #tell: () => void = () => {};

  /** Called at every refusal; one listener, the last. */
  onRefused(listener: () => void): void {
    this.#tell = listener;
  }

  /** @throws {StorageClosed} always */
  refuse(): never {
    this.#tell();
    throw new StorageClosed();
  }
}
