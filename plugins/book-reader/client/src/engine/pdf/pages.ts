import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist";

/** For fractions, all pages count alike. */
const sectionSize = 1_500;

const style = `html, body { margin: 0; overflow: hidden } canvas { display: block }
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
      const html = `<!DOCTYPE html><meta name="viewport" content="width=${width}, height=${height}"><title>Page ${index + 1}</title><style>${style}</style><canvas></canvas><div class="text"></div>`;
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
  const [canvas, text] = [shown.querySelector("canvas"), shown.querySelector<HTMLElement>(".text")];
  if (!canvas || !text) return;
  const viewport = page.getViewport({ scale });
  const drawn = page.getViewport({ scale: scale * devicePixelRatio });
  // Drawn beside the document, so that the page is never seen half done.
  const fresh = shown.createElement("canvas");
  Object.assign(fresh, { width: Math.ceil(drawn.width), height: Math.ceil(drawn.height) });
  fresh.style.setProperty("width", `${viewport.width}px`);
  fresh.style.setProperty("height", `${viewport.height}px`);
  await page.render({ canvas: fresh, viewport: drawn }).promise;
  canvas.replaceWith(fresh);
  text.replaceChildren();
  text.style.setProperty("--total-scale-factor", String(scale));
  text.style.setProperty("--scale-factor", String(scale));
  await new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport }).render();
}

/** The text of a page, for searching. */
async function textDocument(pdf: PDFDocumentProxy, index: number): Promise<Document> {
  const { items } = await (await pdf.getPage(index + 1)).getTextContent();
  const text = document.implementation.createHTMLDocument(`Page ${index + 1}`);
  for (const item of items) if ("str" in item) text.body.append(item.str, item.hasEOL ? "\n" : "");
  return text;
}
