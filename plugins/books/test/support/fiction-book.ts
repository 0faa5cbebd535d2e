export interface FictionBookPlan {
  readonly title?: string;
  readonly sequence?: string;
  readonly cover?: Uint8Array;
  readonly description?: string;
  readonly isbn?: string;
  /** Inside of the body. */
  readonly body?: string;
}

/** Makes a FictionBook as text. */
export function fictionBook(plan: FictionBookPlan = {}): string {
  const { title = "The Salt Road", sequence = "", isbn = "", cover, description, body } = plan;
  return `<?xml version="1.0" encoding="utf-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description>${
    description ??
    `<title-info><genre>sf</genre><author><first-name>Ada</first-name><last-name>Quill</last-name></author>
<book-title>${title}</book-title><annotation><p>One <b>tide</b>.</p><p>Two.</p></annotation><lang>ru</lang>${sequence}
${cover ? '<coverpage><image l:href="#front.jpg"/></coverpage>' : ""}</title-info>
<publish-info><publisher>Heron House</publisher><year>2004</year><isbn>${isbn}</isbn></publish-info>`
  }</description>
<body>${body ?? "<section><p>The tide came in.</p></section>"}</body>
${cover ? `<binary id="front.jpg" content-type="image/jpeg">${Buffer.from(cover).toString("base64")}</binary>` : ""}
</FictionBook>`;
}
