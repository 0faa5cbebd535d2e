import { createHash } from "node:crypto";

/** What the standard scheme puts in the place of a missing password, and behind a short one. */
const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const hashBytes = 32;

/** The entries of a dictionary of the standard scheme that say whether a password is right. */
export interface StandardEncryption {
  readonly revision: number;
  /** Bits. */
  readonly keyLength: number;
  readonly permissions: number;
  readonly owner: Buffer;
  readonly user: Buffer;
  readonly fileId: Buffer;
  readonly encryptsMetadata: boolean;
}

/**
 * Whether a PDF opens without a password: most are encrypted only so that programs ask before they print. Undefined for
 * revisions that are not known here. By the algorithms 2, 4, 5 and 11 of ISO 32000.
 */
export function opensWithoutPassword(encryption: StandardEncryption): boolean | undefined {
  const { revision, user } = encryption;
  if (revision === 5) return hash("sha256", user.subarray(32, 40)).equals(user.subarray(0, hashBytes));
  if (revision < 2 || revision > 4) return undefined;
  const key = keyOf(encryption);
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, hashBytes));
  let made = rc4(key, hash("md5", padding, encryption.fileId));
  for (let round = 1; round <= 19; round++) made = rc4(Buffer.from(key.map((byte) => byte ^ round)), made);
  return made.equals(user.subarray(0, 16));
}

function keyOf({ revision, keyLength, permissions, owner, fileId, encryptsMetadata }: StandardEncryption): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions | 0);
  const unencrypted = revision >= 4 && !encryptsMetadata ? [Buffer.alloc(4, 0xff)] : [];
  let key = hash("md5", padding, owner.subarray(0, hashBytes), bits, fileId, ...unencrypted);
  const length = revision === 2 ? 5 : Math.min(16, Math.max(5, Math.floor(keyLength / 8)));
  if (revision >= 3) for (let round = 0; round < 50; round++) key = hash("md5", key.subarray(0, length));
  return key.subarray(0, length);
}

function hash(algorithm: "md5" | "sha256", ...parts: readonly Uint8Array[]): Buffer {
  const made = createHash(algorithm);
  for (const part of parts) made.update(part);
  return made.digest();
}

/** OpenSSL 3 has it only as a legacy algorithm that may be left out. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => ([state[one], state[other]] = [state[other]!, state[one]!]);
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + state[index]! + key[index % key.length]!) & 0xff;
    swap(index, other);
  }
  let [index, other] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      index = (index + 1) & 0xff;
      other = (other + state[index]!) & 0xff;
      swap(index, other);
      return byte ^ state[(state[index]! + state[other]!) & 0xff]!;
    }),
  );
}
