import { hash } from "node:crypto";
import type { LongboxError } from "@longbox/sdk";
import { apiHeaders } from "./headers.js";
import { pageStyle } from "./page-style.js";
import type { Exchange } from "../routing/route-call.js";
import { retryAfter } from "./sending-errors.js";
import { statusOf } from "../statuses.js";

const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", pageStyle, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Whether a person will read the answer: a browser that goes to a page, not a program that asks for data. */
export function asksForPage({ request }: Exchange): boolean {
  return (request.headers.accept ?? "").includes("text/html");
}

/** Sends an error as a page, for routes that browsers are sent to: with the same status, and a way back. */
export function sendErrorPage(exchange: Exchange, error: LongboxError): void {
  const { request, response, id, client } = exchange;
  if (response.headersSent) return void response.destroy();
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Error</title><style>${pageStyle}</style></head>
<body><main><h1>Something went wrong</h1><p>${escaped(error.message)}</p><p><a href="${client.prefix}/">Back to the home page</a></p><small>${escaped(error.code)} · ${escaped(id)}</small></main></body></html>
`;
  response.writeHead(statusOf[error.kind], {
    ...apiHeaders,
    "Content-Security-Policy": policy,
    "X-Request-Id": id,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "Cache-Control": "no-store",
    ...retryAfter(error),
  });
  response.end(request.method === "HEAD" ? undefined : page);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);
