// How a deflated entry whose unpacked size is written in its archive is unpacked: into one buffer, and never beyond.

/** Buffers of zlib are no larger than this, whatever an archive says of itself. */
const largestChunkBytes = 1 << 20;
/** zlib takes no smaller buffer. */
const smallestChunkBytes = 64;

/**
 * Options for `inflateRaw` and its relatives. The output goes into one buffer of the expected size in place of many of
 * 16 KiB, which are reserved again for each entry and joined at the end. Output beyond `sizeBytes` fails with
 * `ERR_BUFFER_TOO_LARGE`.
 * @param sizeBytes the unpacked size that the archive states; it is not trusted
 */
export function inflateOptions(sizeBytes: number): { maxOutputLength: number; chunkSize: number } {
  // One byte more than expected: a buffer that is exactly full makes zlib reserve another one to see the end.
  const chunkSize = Math.min(largestChunkBytes, Math.max(smallestChunkBytes, sizeBytes + 1));
  return { maxOutputLength: Math.max(1, sizeBytes), chunkSize };
}
