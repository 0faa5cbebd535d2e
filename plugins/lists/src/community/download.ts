import { joinSignals } from "@longbox/sdk";
import { CatalogUnreachable } from "../errors.js";

const timeoutMs = 20_000;

export interface DownloadOptions {
  readonly fetch: typeof fetch;
  readonly maxBytes: number;
}

/** @returns the bytes, or undefined when there is nothing at the address @throws {CatalogUnreachable} for every other trouble */
export async function download(url: string, { fetch, maxBytes }: DownloadOptions): Promise<Buffer | undefined> {
  const limit = AbortSignal.timeout(timeoutMs);
  const { signal, release } = joinSignals(limit);
  try {
    const response = await fetch(url, { headers: { "user-agent": "Longbox/1.0 (self-hosted library)" }, signal });
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new CatalogUnreachable(`it answers ${response.status}`);
    }
    return await collect(response, maxBytes);
  } catch (fault) {
    if (fault instanceof CatalogUnreachable) throw fault;
    throw new CatalogUnreachable(limit.aborted ? `it did not answer within ${timeoutMs / 1000} seconds` : "it cannot be reached", fault);
  } finally {
    release();
  }
}

async function collect(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new CatalogUnreachable(`it answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
