import { parseCookie, stringifySetCookie } from "cookie";
import type { Client } from "../identifying/client.js";
import { sessionDays } from "./sessions.js";

export const sessionCookie = "longbox_session";
const deviceCookie = "longbox_device";
/** The longest time that browsers keep a cookie. */
const deviceDays = 400;

export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined || !header.includes(name) ? undefined : parseCookie(header)[name];
}

/** `Secure` only over https: over plain http a browser on the LAN would drop the cookie. */
export function sessionCookieFor(token: string, client: Client): string {
  return stringifySetCookie({
    name: sessionCookie,
    value: token,
    path: `${client.prefix}/`,
    httpOnly: true,
    sameSite: "lax",
    secure: client.secure,
    maxAge: sessionDays * 24 * 60 * 60,
  });
}

export function endedSessionCookie(client: Client): string {
  return stringifySetCookie({
    name: sessionCookie,
    value: "",
    path: `${client.prefix}/`,
    httpOnly: true,
    sameSite: "lax",
    secure: client.secure,
    maxAge: 0,
  });
}

/** The token of a browser that has signed in before, with any account. */
export function deviceOf(header: string | undefined): string | undefined {
  const token = readCookie(header, deviceCookie);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** A cookie by which a browser is recognised at the next sign-in. It grants no access. */
export function deviceCookieFor(token: string, client: Client): string {
  return stringifySetCookie({
    name: deviceCookie,
    value: token,
    path: `${client.prefix}/`,
    httpOnly: true,
    sameSite: "lax",
    secure: client.secure,
    maxAge: deviceDays * 24 * 60 * 60,
  });
}

/** A cookie for the few minutes of one sign-in elsewhere. */
export function attemptCookieFor(
  cookie: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number },
  client: Client,
): string {
  return stringifySetCookie({
    name: cookie.name,
    value: cookie.value,
    path: `${client.prefix}/api/auth/providers`,
    httpOnly: true,
    sameSite: "lax",
    secure: client.secure,
    maxAge: cookie.maxAgeSeconds,
  });
}
