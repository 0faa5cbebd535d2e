import { isLongboxError, type Answer, type Fetch } from "@longbox/sdk";
import { CatalogUnreachable } from "../errors.js";

const timeoutMs = 20_000;

export interface DownloadOptions<T> {
  readonly fetch: Fetch;
  readonly maxBytes: number;
  /** Takes the body. */
  readonly read: (answer: Answer) => Promise<T>;
}

/**
 * @returns what was read, or undefined when there is nothing at the address
 * @throws {CatalogUnreachable} for all other failures
 */
export async function download<T>(url: string, options: DownloadOptions<T>): Promise<T | undefined> {
  const { fetch, maxBytes, read } = options;
  try {
    const headers = { "user-agent": "Longbox/1.0 (self-hosted library)" };
    const response = await fetch(url, { headers, timeoutMs, maxBytes });
    if (response.ok) return await read(response);
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new CatalogUnreachable(`it answers ${response.status}`);
  } catch (fault) {
    if (fault instanceof CatalogUnreachable) throw fault;
    throw new CatalogUnreachable(reasonOf(fault, maxBytes), fault);
  }
}

function reasonOf(fault: unknown, maxBytes: number): string {
  const code = isLongboxError(fault) ? fault.code : undefined;
  if (code === "kernel/answer-too-large") return `it answers with more than ${maxBytes} bytes`;
  if (code === "kernel/fetch-timeout") return `it did not answer within ${timeoutMs / 1000} seconds`;
  if (code === "kernel/answer-unreadable") return "its index has an unknown shape";
  return code === "kernel/address-not-public" ? "it leads to an address inside this network" : "it cannot be reached";
}
