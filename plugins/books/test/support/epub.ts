import { zip } from "@longbox/test/fixtures";

/** What a test wants of an EPUB; everything else is as in a plain, valid one. */
export interface EpubPlan {
  readonly title?: string;
  readonly author?: string;
  /** Inside of `<metadata>`, behind the title and the author. */
  readonly metadata?: string;
  readonly cover?: Uint8Array;
  /** Of the only chapter. */
  readonly text?: string;
  readonly spine?: string;
  /** Further files, or other ones in the place of the usual; undefined leaves one out. */
  readonly files?: Readonly<Record<string, string | Uint8Array | undefined>>;
  /** Replaces the package document. */
  readonly opf?: string;
}

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Makes an EPUB 3 of one chapter. */
export function epub(plan: EpubPlan = {}): Uint8Array {
  const { title = "The Salt Road", author = "Ada Quill", text = "The tide came in.", cover } = plan;
  const files: Record<string, string | Uint8Array | undefined> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">' +
      '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "OEBPS/book.opf": plan.opf ?? opf({ ...plan, title, author }),
    "OEBPS/one.xhtml":
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escaped(title)}</title></head>` +
      `<body><p>${escaped(text)}</p></body></html>`,
    ...(cover && { "OEBPS/images/front%20page.jpg": undefined, "OEBPS/images/front page.jpg": cover }),
    ...plan.files,
  };
  const entries = Object.entries(files).flatMap(([name, content]) =>
    content === undefined
      ? []
      : [[name, typeof content === "string" ? Buffer.from(content) : content] as [string, Uint8Array]],
  );
  return zip(new Map(entries), { deflate: true });
}

function opf({ title = "", author = "", metadata = "", cover, spine = "" }: EpubPlan): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
    <dc:identifier id="id">urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b</dc:identifier>
    <dc:title>${escaped(title)}</dc:title>${author === "" ? "" : `<dc:creator>${escaped(author)}</dc:creator>`}
    ${metadata}
  </metadata>
  <manifest>
    <item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>
    ${cover ? '<item id="front" href="images/front%20page.jpg" media-type="image/jpeg" properties="cover-image"/>' : ""}
  </manifest>
  <spine ${spine}><itemref idref="one"/></spine>
</package>`;
}
