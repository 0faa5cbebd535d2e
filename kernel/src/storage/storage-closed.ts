import { LongboxError } from "@longbox/sdk";

/** Something was asked of a storage that has been closed: its plugin has stopped, or the server does. */
export class StorageClosed extends LongboxError {
  constructor() {
    super("unavailable", "kernel/storage-closed", "The storage has been closed.");
  }
}
