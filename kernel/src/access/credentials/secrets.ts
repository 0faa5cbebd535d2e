import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** The stored digest of a key or a session token. */
export function digest(secret: string): string {
  return hash("sha256", secret, "hex");
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `lbx_` and 40 letters and digits: 238 random bits. */
export function newApiKey(): string {
  let key = "";
  while (key.length < 40)
    for (const byte of randomBytes(64)) if (byte < 248 && key.length < 40) key += alphabet[byte % 62];
  return `lbx_${key}`;
}

/** 256 random bits for a cookie. */
export function newSessionToken(): string {
  return randomBytes(32).toString("base64url");
}

export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));
}
