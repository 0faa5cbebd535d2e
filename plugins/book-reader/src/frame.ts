import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** The scripts that run inside of the frame, beside the client's own module. */
const engines = ["engine/engine.js", "pdf/pdf.js"] as const;

/**
 * Runs in the inner frame: takes the port to the page from the first message, then the engine's code. The code is run
 * by adding a script element, which the policy allows for exactly the scripts whose digests it names.
 */
const start = `addEventListener("message", ({ data, ports }) => {
  globalThis.longboxPort = ports[0];
  for (const code of data) {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  }
}, { once: true });`;

const inner = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Book</title><style>html, body, foliate-view { display: block; height: 100%; margin: 0; overflow: hidden }</style></head><body><script>${start}</script></body></html>`;

/** Its own frame may do nothing but run scripts: no forms, pop-ups, dialogs, downloads, or navigation of the page. */
const outer = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Book</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden; background: transparent }</style>
</head>
<body><iframe title="Book" allow="autoplay" sandbox="allow-scripts allow-same-origin" src="data:text/html;base64,${Buffer.from(inner).toString("base64")}"></iframe></body>
</html>
`;

/** The document that holds everything of a book, and the policy that it and all frames in it are under. */
export interface Frame {
  readonly document: string;
  readonly policy: string;
}

/** @param folder - Where the client was built, with a slash at the end */
export async function readFrame(folder: URL): Promise<Frame> {
  const scripts = await Promise.all(engines.map((name) => readFile(new URL(name, folder), "utf8")));
  return { document: outer, policy: policyFor([start, ...scripts]) };
}

function policyFor(scripts: readonly string[]): string {
  const digests = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src ${digests.join(" ")}`,
    "style-src 'unsafe-inline' blob:",
    "img-src blob: data:",
    "font-src blob: data:",
    "media-src blob: data:",
    "connect-src blob:",
    "frame-src data:",
    "object-src 'none'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
