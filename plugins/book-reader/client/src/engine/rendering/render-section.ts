import { makeInert } from "./inert.js";

/** What a section of a book may load: what the engine has made of the book's own files. */
const policy =
  "default-src 'none'; script-src 'none'; style-src 'unsafe-inline' blob:; img-src blob: data:; font-src blob: data:; media-src blob: data:; connect-src 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'; form-action 'none'; base-uri 'none'";
const skeleton = `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="${policy}"><meta http-equiv="x-dns-prefetch-control" content="off"><title>Section</title></head><body></body></html>`;

/** Longest waits for what a section needs before its text can be laid out, and for what is nicer to have by then. */
const longestWaitMs = { stylesheets: 5_000, images: 800 };

/**
 * The sandbox of a section: no scripts at all. WebKit delivers no events without `allow-scripts` (bug 218086), so there
 * the policy alone keeps scripts from running.
 */
export function sectionSandbox(): string {
  return navigator.vendor.startsWith("Apple") ? "allow-same-origin allow-scripts" : "allow-same-origin";
}

/**
 * Shows a section in a frame of the renderer, which calls this instead of loading the address. The section is parsed,
 * made inert, and put into an empty document that has its policy already; `rendered` is dispatched at the frame then.
 * @param address - A `blob:` address of the engine
 */
export function renderSection(frame: HTMLIFrameElement, address: string): void {
  const parsed = parseSection(address);
  frame.addEventListener(
    "load",
    () => {
      void parsed.then(async (section) => {
        const shown = frame.contentDocument;
        if (shown === null) return;
        shown.documentElement.replaceWith(shown.adoptNode(section.documentElement));
        await settled(shown);
        if (frame.isConnected) frame.dispatchEvent(new Event("rendered"));
      });
    },
    { once: true },
  );
  frame.srcdoc = skeleton;
}

async function parseSection(address: string): Promise<Document> {
  const blob = await (await fetch(address)).blob();
  const parsed = parse(await blob.text(), blob.type);
  const section = parsed.documentElement.localName === "html" ? parsed : wrapped(parsed);
  makeInert(section);
  if (section.body === null)
    section.documentElement.append(section.createElementNS("http://www.w3.org/1999/xhtml", "body"));
  return section;
}

/** What is not well-formed is read as HTML, as browsers read most of the web. */
function parse(text: string, type: string): Document {
  const isXml = /^(?:application\/xhtml\+xml|image\/svg\+xml)/.test(type);
  if (isXml) {
    const parsed = new DOMParser().parseFromString(
      text,
      type.startsWith("image") ? "image/svg+xml" : "application/xhtml+xml",
    );
    if (parsed.querySelector("parsererror") === null) return parsed;
  }
  return new DOMParser().parseFromString(text, "text/html");
}

/** A drawing that is a section of its own. */
function wrapped(drawing: Document): Document {
  const page = document.implementation.createHTMLDocument();
  const viewBox =
    drawing.documentElement
      .getAttribute("viewBox")
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const [
    width = drawing.documentElement.getAttribute("width"),
    height = drawing.documentElement.getAttribute("height"),
  ] = viewBox.slice(2);
  const viewport = page.createElement("meta");
  viewport.name = "viewport";
  viewport.content = `width=${Number.parseFloat(width ?? "1000")}, height=${Number.parseFloat(height ?? "1000")}`;
  const style = page.createElement("style");
  style.textContent = "html, body { margin: 0 } svg { display: block; width: 100%; height: auto }";
  page.head.append(viewport, style);
  for (const node of drawing.childNodes)
    if (node instanceof ProcessingInstruction) page.insertBefore(page.importNode(node), page.documentElement);
  page.body.append(page.importNode(drawing.documentElement, true));
  return page;
}

async function settled(shown: Document): Promise<void> {
  const sheets = [...shown.querySelectorAll<HTMLLinkElement>("link[rel~=stylesheet]")];
  const images = [...shown.querySelectorAll("img")].filter((image) => !image.complete);
  const missing = sheets.filter(({ sheet }) => sheet === null);
  await atMost(longestWaitMs.stylesheets, missing.map(arrival));
  await atMost(longestWaitMs.images, images.map(arrival));
}

function arrival(element: Element): Promise<void> {
  return new Promise((resolve) => {
    for (const outcome of ["load", "error"]) element.addEventListener(outcome, () => resolve(), { once: true });
  });
}

function atMost(limitMs: number, arrivals: readonly Promise<void>[]): Promise<unknown> {
  if (arrivals.length === 0) return Promise.resolve();
  return Promise.race([Promise.all(arrivals), new Promise((resolve) => setTimeout(resolve, limitMs))]);
}
