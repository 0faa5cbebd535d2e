import { createHash } from "node:crypto";
import { drawPage } from "@longbox/test/fixtures";

type Box = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Writes PDFs object by object, as they stand in the specification (ISO 32000): nothing is compressed, so that a test
 * can damage them on purpose.
 */
export class PdfWriter {
  /** Each object's dictionary or value, and its stream; the first two are the catalog and the tree of pages. */
  readonly #objects: Array<{ readonly text: string; readonly stream?: Uint8Array }> = [{ text: "" }, { text: "" }];
  readonly #pages: number[] = [];

  /** @returns how the object is referred to */
  add(text: string, stream?: Uint8Array | string): string {
    this.#objects.push({ text, ...(stream !== undefined && { stream: Buffer.from(stream as string) }) });
    return `${this.#objects.length} 0 R`;
  }

  addStream(entries: string, stream: Uint8Array | string): string {
    return this.add(`<< ${entries} /Length ${Buffer.from(stream as string).length} >>`, stream);
  }

  /** @param entries - Whatever else stands in the page's dictionary: `/Rotate 90`, `/CropBox […]` */
  addPage(page: {
    readonly box: Box;
    readonly draw: string;
    readonly resources?: string;
    readonly entries?: string;
  }): void {
    const contents = this.addStream("", page.draw);
    const text = `<< /Type /Page /Parent 2 0 R /MediaBox [${page.box.join(" ")}] /Resources << ${page.resources ?? ""} >> /Contents ${contents} ${page.entries ?? ""} >>`;
    this.#pages.push(Number.parseInt(this.add(text)));
  }

  /** A page that is one image and nothing else, a point to the pixel. */
  addImagePage(image: {
    readonly width: number;
    readonly height: number;
    readonly entries: string;
    readonly bytes: Uint8Array;
  }): void {
    const { width, height } = image;
    const reference = this.addStream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${image.entries}`,
      image.bytes,
    );
    this.addPage({
      box: [0, 0, width, height],
      draw: `q ${width} 0 0 ${height} 0 0 cm /I Do Q`,
      resources: `/XObject << /I ${reference} >>`,
    });
  }

  /** @param password - Needed to open the file. An empty one encrypts the file without protecting it. */
  finish(options: { readonly password?: string } = {}): Buffer {
    this.#objects[0] = { text: "<< /Type /Catalog /Pages 2 0 R >>" };
    this.#objects[1] = {
      text: `<< /Type /Pages /Count ${this.#pages.length} /Kids [${this.#pages.map((page) => `${page} 0 R`).join(" ")}] >>`,
    };
    const lock = options.password === undefined ? undefined : new Lock(options.password);
    const objects = lock ? [...this.#objects, { text: lock.dictionary }] : this.#objects;
    const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
    const offsets: string[] = [];
    let at = parts[0]!.length;
    for (const [index, { text, stream }] of objects.entries()) {
      const body =
        stream &&
        Buffer.concat([
          Buffer.from("\nstream\n"),
          lock ? lock.close(index + 1, stream) : stream,
          Buffer.from("\nendstream"),
        ]);
      const part = Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n${text}`),
        ...(body ? [body] : []),
        Buffer.from("\nendobj\n"),
      ]);
      offsets.push(`${String(at).padStart(10, "0")} 00000 n \n`);
      parts.push(part);
      at += part.length;
    }
    const trailer = `/Size ${objects.length + 1} /Root 1 0 R${lock ? ` /Encrypt ${objects.length} 0 R /ID [${lock.id} ${lock.id}]` : ""}`;
    parts.push(
      Buffer.from(
        `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

/** A PDF of drawn pages, each of them a JPEG of 160 by 240 pixels and nothing else. */
export async function scannedPdf(pages: number): Promise<Buffer> {
  const pdf = new PdfWriter();
  const [width, height] = [160, 240];
  for (let page = 0; page < pages; page++) {
    pdf.addImagePage({
      width,
      height,
      entries: "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
      bytes: await drawPage(page, String(page), { width, height }),
    });
  }
  return pdf.finish();
}

const padding = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");

/** The oldest protection, RC4 with 40 bits: enough to be opened by its password and by nothing else. */
class Lock {
  readonly id = `<${"00".repeat(16)}>`;
  readonly dictionary: string;
  readonly #key: Buffer;

  constructor(password: string) {
    const padded = (text: string) => Buffer.concat([Buffer.from(text), padding]).subarray(0, 32);
    const owner = rc4(md5(padded("the owner")).subarray(0, 5), padded(password));
    const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
    this.#key = md5(padded(password), owner, permissions, Buffer.alloc(16)).subarray(0, 5);
    this.dictionary = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString("hex")}> /U <${rc4(this.#key, padding).toString("hex")}> >>`;
  }

  close(object: number, bytes: Uint8Array): Buffer {
    return rc4(md5(this.#key, Buffer.from([object & 255, object >> 8, 0, 0, 0])).subarray(0, 10), bytes);
  }
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

/** OpenSSL no longer offers it. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => ([state[one], state[other]] = [state[other]!, state[one]!]);
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + state[at]! + key[at % key.length]!) & 255;
    swap(at, other);
  }
  let [at, other] = [0, 0];
  return Buffer.from(bytes).map((byte) => {
    at = (at + 1) & 255;
    other = (other + state[at]!) & 255;
    swap(at, other);
    return byte ^ state[(state[at]! + state[other]!) & 255]!;
  }) as Buffer;
}
