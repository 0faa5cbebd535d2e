// Encryption of backups that leave the data folder: the age format (age-encryption.org) with a passphrase.
import { open } from "node:fs/promises";
import { BadInput } from "@longbox/sdk";

/**
 * Loaded when it is first used: with the curves of its other recipients it takes 8 MB, and most servers encrypt
 * nothing.
 */
const loadAge = () => import("age-encryption");

/** What an encrypted file begins with. */
const beginning = "age-encryption.org/v1\n";
/**
 * 2 to the power of this: 32 MB and a tenth of a second for each passphrase that is tried. More would hold up requests.
 */
const workFactor = 15;

/** Encrypts content as it comes. The program `age --decrypt` reads it, too. */
export async function seal(content: AsyncIterable<Uint8Array>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(webStream(content));
}

/**
 * Decrypts content as it comes.
 * @throws {BadInput} `kernel/backup-passphrase-wrong`; reading throws when the content was changed or cut short
 */
export async function unseal(
  content: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(webStream(content));
  } catch (cause) {
    const wrong = new BadInput(
      "kernel/backup-passphrase-wrong",
      "The backup cannot be decrypted with this passphrase.",
      { passphrase: "is not the one that the backup was encrypted with" },
    );
    throw Object.assign(wrong, { cause });
  }
}

/** Whether a file is encrypted, by its first bytes. */
export async function isSealed(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === beginning;
  } finally {
    await file.close();
  }
}

/** Copies each chunk: the memory of a file's chunks belongs to a pool, which a transfer would detach. */
function webStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(copies(content));
}

async function* copies(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield new Uint8Array(chunk);
}
