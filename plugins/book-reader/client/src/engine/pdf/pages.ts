import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist";

/** For fractions, all pages count alike. */
const sectionSize = 1_500;

const style = `html, body { margin: 0; overflow: hidden } img { display: block }
.text { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; text-size-adjust: none; transform-origin: 0 0 }
.text :is(span, br) { color: transparent; position: absolute; white-space: pre; cursor: text; transform-origin: 0% 0% }
.text > :not(.markedContent), .text .markedContent span:not(.markedContent) { --font-height: 0; font-size: calc(var(--total-scale-factor) * var(--font-height)); --scale-x: 1; --rotate: 0deg; transform: rotate(var(--rotate)) scaleX(var(--scale-x)) }
.text .markedContent { display: contents }`;

export function pageSection(pdf: PDFDocumentProxy, index: number): FoliateSection {
  let url: string | undefined;
  return {
    id: index,
    size: sectionSize,
    async load() {
      const page = await pdf.getPage(index + 1);
      const { width, height } = page.getViewport({ scale: 1 });
      const html = `<!DOCTYPE html><meta name="viewport" content="width=${width}, height=${height}"><style>${style}</style><img alt=""><div class="text"></div>`;
      url ??= URL.createObjectURL(new Blob([html], { type: "text/html" }));
      return { src: url, onZoom: ({ doc, scale }) => void drawPage(page, doc, scale) };
    },
    unload() {
      if (url !== undefined) URL.revokeObjectURL(url);
      url = undefined;
    },
    createDocument: () => textDocument(pdf, index),
  };
}

async function drawPage(page: PDFPageProxy, shown: Document, scale: number): Promise<void> {
  const [picture, text] = [shown.querySelector("img"), shown.querySelector<HTMLElement>(".text")];
  if (!picture || !text) return;
  const viewport = page.getViewport({ scale });
  picture.style.setProperty("width", `${viewport.width}px`);
  picture.style.setProperty("height", `${viewport.height}px`);
  const former = picture.src;
  picture.src = URL.createObjectURL(await rendered(page, scale * devicePixelRatio));
  if (former) URL.revokeObjectURL(former);
  text.replaceChildren();
  text.style.setProperty("--total-scale-factor", String(scale));
  text.style.setProperty("--scale-factor", String(scale));
  await new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport }).render();
}

/** As a picture, since browsers show no canvas in a document that may not run scripts. */
async function rendered(page: PDFPageProxy, scale: number): Promise<Blob> {
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) });
  await page.render({ canvas, viewport }).promise;
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (picture === null) throw new Error("The page is too large to be drawn.");
  return picture;
}

/** The text of a page, for searching. */
async function textDocument(pdf: PDFDocumentProxy, index: number): Promise<Document> {
  const { items } = await (await pdf.getPage(index + 1)).getTextContent();
  const text = document.implementation.createHTMLDocument("");
  for (const item of items) if ("str" in item) text.body.append(item.str, item.hasEOL ? "\n" : "");
  return text;
}
