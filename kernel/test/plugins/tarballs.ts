import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { entryText, packageJsonOf, type TinyPlugin } from "./support.js";

/** One entry of a tarball written byte by byte, so that it can say what no honest program would write. */
export interface Entry {
  readonly name: string;
  readonly text?: string;
  /** The type flag of the format: 0 file, 1 link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 pipe. */
  readonly type?: string;
  readonly target?: string;
  /** What the header claims, where it is not the truth. */
  readonly claimedSize?: number;
}

export function tarEntry({ name, text = "", type = "0", target = "", claimedSize }: Entry): Buffer {
  const header = Buffer.alloc(512);
  const body = Buffer.from(text, "utf8");
  header.write(name, 0, 100, "utf8");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${(claimedSize ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(target, 157, 100, "utf8");
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

export function tarball(entries: readonly Entry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)]));
}

/** The honest entries of a plugin. */
export function entriesOf(plugin: TinyPlugin): Entry[] {
  return [
    { name: "package/package.json", text: JSON.stringify(packageJsonOf(plugin)) },
    { name: "package/index.js", text: entryText(plugin) },
  ];
}

export const integrityOf = (bytes: Buffer) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
