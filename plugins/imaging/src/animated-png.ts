const pngSignatureBytes = 8;
/** Length, name and checksum of a chunk. */
const chunkFrameBytes = 12;
const mostChunksLookedAt = 100;

/** Whether a PNG is animated: it has a chunk `acTL` before the image data. */
export function isMovingPng(bytes: Uint8Array): boolean {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (png.toString("latin1", 1, 4) !== "PNG") return false;
  let at = pngSignatureBytes;
  for (let chunk = 0; chunk < mostChunksLookedAt && at + 8 <= png.length; chunk++) {
    const name = png.toString("latin1", at + 4, at + 8);
    if (name === "acTL") return true;
    if (name === "IDAT") return false;
    at += png.readUInt32BE(at) + chunkFrameBytes;
  }
  return false;
}
