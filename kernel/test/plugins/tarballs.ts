// Tarballs written byte by byte, so that they can say what no honest program would write.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { entryText, packageJsonOf, type TinyPlugin } from "./support.js";

/** One entry of a tarball. */
export interface Entry {
  readonly name: string;
  readonly text?: string;
  /** The type flag of the format: 0 file, 1 link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 pipe. */
  readonly type?: string;
  readonly target?: string;
  /** What the header claims, where it is not the truth. */
  readonly claimedSize?: number;
  /** The rights of the file, in octal digits. */
  readonly mode?: string;
  /** Bytes of the header that are written over what stands there, by their place; the checksum counts them. */
  readonly overwritten?: ReadonlyMap<number, Buffer>;
  /** The checksum that the header states, where it is not the right one. */
  readonly claimedSum?: number;
}

export function tarEntry(entry: Entry): Buffer {
  const { name, text = "", type = "0", target = "", claimedSize, mode = "0644" } = entry;
  const header = Buffer.alloc(512);
  const body = Buffer.from(text, "utf8");
  header.write(name, 0, 100, "utf8");
  header.write(`${mode.padStart(7, "0")}\0`, 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${(claimedSize ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(target, 157, 100, "utf8");
  header.write("ustar\x0000", 257);
  for (const [place, bytes] of entry.overwritten ?? []) bytes.copy(header, place);
  const sum = entry.claimedSum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

/** A header of the pax format, which changes fields of the entry after it, or with `g` of all that follow. */
export function paxEntry(fields: Readonly<Record<string, string>>, type: "x" | "g" = "x"): Entry {
  const text = Object.entries(fields)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = Buffer.byteLength(rest);
      while (String(length).length + Buffer.byteLength(rest) !== length)
        length = String(length).length + Buffer.byteLength(rest);
      return `${length}${rest}`;
    })
    .join("");
  return { name: "PaxHeader", type, text };
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
