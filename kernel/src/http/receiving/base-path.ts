// The path below which Longbox is reached, when its host serves other programs too: LONGBOX_BASE_PATH.
import type { IncomingMessage, ServerResponse } from "node:http";
import { apiHeaders } from "../answering/headers.js";
import { status } from "../statuses.js";

/** One or more plain segments: `/longbox`, without a slash at the end. */
export function isPlainPath(path: string): boolean {
  return /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/.test(path);
}

/**
 * Takes the base path from the beginning of a target. A target without it stays as it is: most proxies can take the
 * path away, and the machine itself asks without it. One that says that it took a path away has taken this one.
 */
export function leaveBasePath(request: IncomingMessage, basePath: string): void {
  const { url = "/", headers } = request;
  if (basePath === "" || headers["x-forwarded-prefix"] || !url.startsWith(`${basePath}/`)) return;
  request.url = url.slice(basePath.length);
}

/** Sends a browser that asks for `/longbox` to `/longbox/`: everything of the web interface is below that. */
export function completesBasePath(request: IncomingMessage, response: ServerResponse, basePath: string): boolean {
  const { url = "/", method } = request;
  if (basePath === "" || !url.startsWith(basePath) || (method !== "GET" && method !== "HEAD")) return false;
  const rest = url.slice(basePath.length);
  if (rest !== "" && !rest.startsWith("?")) return false;
  response.writeHead(status.found, { ...apiHeaders, Location: `${basePath}/${rest}`, "Content-Length": 0 }).end();
  return true;
}

/** The public address that an admin has set, without a slash at the end, and with the base path where it is missing. */
export function publicAddress(setting: string, basePath: string): string {
  if (setting === "" || basePath === "") return setting.replace(/\/+$/, "");
  const address = setting.replace(/\/+$/, "");
  // A host can have the name of the path: https://longbox is not https://longbox/longbox.
  return new URL(address).pathname.endsWith(basePath) ? address : address + basePath;
}
