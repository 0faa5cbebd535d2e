import type { IncomingMessage } from "node:http";
import type { CredentialScheme } from "@longbox/sdk";
import type { CompiledRoute } from "./compiled-route.js";
import { target, type Exchange } from "./route-call.js";

const hidden = "[redacted]";
const none: readonly string[] = [];

/** What a request carries that its route declares as secret, in each way in which it may be written. */
export function secretsOf(
  exchange: Exchange,
  compiled: CompiledRoute | undefined,
  values: readonly string[],
): readonly string[] {
  const scheme = compiled?.route.credentials;
  if (compiled === undefined || scheme === undefined) return none;
  const found = new Set<string>();
  for (const name of scheme.secretHeaders ?? []) {
    const value = exchange.request.headers[name.toLowerCase()];
    if (typeof value === "string") found.add(value);
  }
  for (const name of scheme.secretParameters ?? []) {
    const value = values[compiled.names.indexOf(name)];
    if (value === undefined) continue;
    found.add(value);
    found.add(decoded(value));
  }
  for (const [name, value] of Object.entries(secretQueryOf(exchange.request, scheme))) {
    found.add(value);
    found.add(encodeURIComponent(value));
    found.add(new URLSearchParams({ [name]: value }).toString().slice(name.length + 1));
  }
  if (scheme.basicRealm !== undefined) {
    const encoded = /^Basic\s+(.+)$/i.exec(exchange.request.headers.authorization ?? "")?.[1];
    const password =
      encoded &&
      Buffer.from(encoded, "base64")
        .toString("utf8")
        .replace(/^[^:]*:/, "");
    if (encoded) found.add(encoded);
    if (password) found.add(password);
  }
  return [...found].filter((secret) => secret !== "");
}

/** The query parameters that a scheme names as secret, as far as they came. */
export function secretQueryOf(request: IncomingMessage, scheme: CredentialScheme): Record<string, string> {
  const names = scheme.secretQuery ?? none;
  if (names.length === 0) return {};
  const came = new URLSearchParams(target(request).search);
  return Object.fromEntries(names.flatMap((name) => (came.has(name) ? [[name, came.get(name) ?? ""]] : [])));
}

/** The path as logs may show it. */
export function shownPath(exchange: Exchange, compiled: CompiledRoute | undefined, values: readonly string[]): string {
  const { path } = target(exchange.request);
  const secret = compiled?.route.credentials?.secretParameters ?? [];
  if (compiled === undefined || secret.length === 0) return path;
  let at = 0;
  return compiled.route.path
    .split("/")
    .map((segment) => {
      if (!segment.startsWith("{")) return segment;
      const place = at++;
      return secret.includes(compiled.names[place]!) ? hidden : values[place]!;
    })
    .join("/");
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
