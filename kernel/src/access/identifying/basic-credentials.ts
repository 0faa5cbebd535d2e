import { BadCredentials } from "../access-errors.js";

export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** What an `Authorization` header of HTTP Basic says; undefined for any other. @throws {BadCredentials} */
export function basicOf(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^Basic\s+(.*)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw new BadCredentials();
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
