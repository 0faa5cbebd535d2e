import { deflateSync } from "node:zlib";

export interface PdfPlan {
  /** The body of the information dictionary, such as `/Title (The Salt Road)`. */
  readonly information?: string;
  readonly xmp?: string;
  /** Of the trailer, such as a reference to a dictionary of encryption. */
  readonly trailer?: string;
  readonly objects?: readonly string[];
  readonly pages?: number;
  /** Puts the dictionaries into a compressed stream of objects, as newer programs do. */
  readonly packed?: boolean;
}

/**
 * Makes a PDF of empty pages. Its table of references is not complete: only what says something of the book is there.
 */
export function pdf({
  information = "",
  xmp,
  trailer = "",
  objects = [],
  pages = 3,
  packed,
}: PdfPlan = {}): Uint8Array {
  const bodies = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [] >>`,
    `<< ${information} >>`,
    ...objects,
  ];
  const written = packed
    ? [`4711 0 obj\n`, objectStream(bodies), "\nendobj\n"]
    : bodies.map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  const metadata = xmp === undefined ? "" : `99 0 obj\n<< /Type /Metadata >>\nstream\n${xmp}\nendstream\nendobj\n`;
  const end = `trailer << /Size 9 /Root 1 0 R /Info 3 0 R ${trailer} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat(["%PDF-1.5\n", ...written, metadata, end].map((part) => Buffer.from(part as string, "latin1")));
}

function objectStream(bodies: readonly string[]): string {
  let offset = 0;
  const numbers = bodies.map((body, index) => {
    const pair = `${index + 1} ${offset}`;
    offset += body.length + 1;
    return pair;
  });
  const first = `${numbers.join(" ")} `;
  const stream = deflateSync(Buffer.from(`${first}${bodies.join("\n")}`, "latin1")).toString("latin1");
  const size = Buffer.byteLength(stream, "latin1");
  return `<< /Type /ObjStm /N ${bodies.length} /First ${first.length} /Filter /FlateDecode /Length ${size} >>\nstream\n${stream}\nendstream`;
}

/**
 * What makes a PDF encrypted by the standard scheme (RC4, 128 bits): with an empty password it opens for anyone, the
 * other one is `secret`. Computed by a program of its own, and checked with pdf.js.
 */
export function encryptedPdf(password: "" | "secret"): Uint8Array {
  const user = { "": "87934e9fedddfaa3fceb5d8788e7d883", secret: "da93787d977bbd7870c689c0f4e4692f" }[password];
  const id = "0123456789abcdef0123456789abcdef";
  return pdf({
    trailer: `/Encrypt 4 0 R /ID [<${id}> <${id}>]`,
    objects: [
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${"07".repeat(32)}> /U <${user}${"00".repeat(16)}> >>`,
    ],
  });
}
