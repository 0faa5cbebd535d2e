import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { isLongboxError } from "@longbox/sdk";
import { PackageRefused } from "./refusals.js";

export interface FetchedTarball {
  readonly file: string;
  readonly bytes: number;
  /** `sha512-…` of the bytes in the file. */
  readonly integrity: string;
  /** Short name of the content, from the same hash. */
  readonly hash: string;
}

/**
 * Writes a tarball to a file while hashing it, and compares the hash with the one that the registry stated. The same
 * file is then unpacked, so the bytes that were checked are the bytes that are used.
 */
export async function fetchTarball(
  stream: AsyncIterable<Uint8Array>,
  file: string,
  promised: { readonly integrity: string; readonly maxBytes: number },
): Promise<FetchedTarball> {
  const { maxBytes } = promised;
  const digest = createHash("sha512");
  const handle = await open(file, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of readable(stream)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        throw new PackageRefused("kernel/tarball-too-large", `The package is larger than ${maxBytes} bytes.`);
      digest.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  const sum = digest.digest();
  await matchIntegrity(sum, promised.integrity);
  return { file, bytes, integrity: `sha512-${sum.toString("base64")}`, hash: sum.toString("hex").slice(0, 16) };
}

async function* readable(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    if (isLongboxError(cause) && cause.code === "kernel/fetch-timeout")
      throw new PackageRefused("kernel/tarball-slow", "The package took longer to arrive than it may.", { cause });
    throw new PackageRefused("kernel/tarball-truncated", "The package broke off before its end.", { cause });
  }
}

async function matchIntegrity(sum: Buffer, promised: string): Promise<void> {
  const { parse } = (await import("ssri")).default;
  const expected = parse(promised, { strict: true })?.["sha512"];
  if (!expected?.length)
    throw new PackageRefused("kernel/no-integrity", "The registry does not promise a SHA-512 of the package.");
  if (!expected.some((hash) => hash.digest === sum.toString("base64")))
    throw new PackageRefused("kernel/integrity-mismatch", "The package is not the one that the registry promised.");
}
