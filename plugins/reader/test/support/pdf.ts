/** A JPEG and where it lies on its page, in points from the lower left corner. */
export interface PdfImage {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly at: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly images: readonly PdfImage[];
}

/** Writes a PDF of pages that hold nothing but images. */
export function pdf(pages: readonly PdfPage[]): Uint8Array {
  const objects: Uint8Array[] = [];
  const add = (body: string | Uint8Array) => objects.push(typeof body === "string" ? Buffer.from(body) : body);
  const stream = (dictionary: string, data: Uint8Array) =>
    Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from("\nendstream"),
    ]);
  const [catalog, tree] = [add(""), add("")];
  const kids = pages.map((page) => {
    const names = page.images.map(
      (image, index) =>
        `/I${index} ${add(stream(`/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`, image.bytes))} 0 R`,
    );
    const drawn = page.images
      .map(({ at }, index) => `q ${at.width} 0 0 ${at.height} ${at.x} ${at.y} cm /I${index} Do Q`)
      .join("\n");
    const content = add(stream("", Buffer.from(drawn)));
    return `${add(`<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents ${content} 0 R /Resources << /XObject << ${names.join(" ")} >> >> >>`)} 0 R`;
  });
  objects[catalog - 1] = Buffer.from(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
  objects[tree - 1] = Buffer.from(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(" ")}] >>`);
  return assemble(objects, catalog);
}

function assemble(objects: readonly Uint8Array[], root: number): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: string[] = [];
  let at = parts[0]!.length;
  for (const [index, body] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    offsets.push(`${String(at).padStart(10, "0")} 00000 n \n`);
    parts.push(part);
    at += part.length;
  }
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer << /Size ${objects.length + 1} /Root ${root} 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
