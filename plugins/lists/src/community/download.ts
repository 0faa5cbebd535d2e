import { isLongboxError, type Fetch } from "@longbox/sdk";
import { CatalogUnreachable } from "../errors.js";

const timeoutMs = 20_000;

export interface DownloadOptions {
  readonly fetch: Fetch;
  readonly maxBytes: number;
}

/** @returns the bytes, or undefined when there is nothing at the address @throws {CatalogUnreachable} for every other trouble */
export async function download(url: string, { fetch, maxBytes }: DownloadOptions): Promise<Buffer | undefined> {
  try {
    const headers = { "user-agent": "Longbox/1.0 (self-hosted library)" };
    const response = await fetch(url, { headers, timeoutMs, maxBytes });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
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
  return code === "kernel/address-not-public" ? "it leads to an address inside this network" : "it cannot be reached";
}
