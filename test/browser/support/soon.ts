import { expect } from "vitest";

/** Expects something of a page before long; a busy machine is given its time. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000, interval: 50 });
