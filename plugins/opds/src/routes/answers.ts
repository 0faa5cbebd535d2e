import { hash } from "node:crypto";
import { indexParameter, reply, type Challenge, type Reply, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import { atomBase } from "../addresses.js";
import { authenticationAddress, authenticationDocument, authenticationType } from "../json/authentication.js";

export const access = "opds.use";

/** The common part of all routes of the catalog. */
export const common = {
  access,
  acceptsBasic: true,
  ignoresHideMature: true,
  challenge: ({ url }: { readonly url: URL }): Challenge => ({
    body: authenticationDocument(originOf({ url })),
    headers: {
      "Content-Type": authenticationType,
      Link: `<${authenticationAddress(originOf({ url }))}>; rel="http://opds-spec.org/auth/document"; type="${authenticationType}"`,
    },
  }),
} as const;

/** Pixels. A template that an app did not fill in counts as left out. */
export const width = z
  .string()
  .transform((text) => (text === "{maxWidth}" || text === "" ? undefined : text))
  .pipe(indexParameter.pipe(z.number().int().min(1).max(20_000)).optional())
  .optional();

/** The number of a feed's page, from 1. */
export const pageQuery = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1")
  .transform(Number)
  .default(1);

export function xml(text: string, contentType: string): Reply {
  return reply.text(text, contentType, { validator: digest(text) });
}

export function json(value: unknown, contentType: string): Reply {
  const text = JSON.stringify(value);
  return reply.text(text, contentType, { validator: digest(text) });
}

/** The part before `/api` in the client's address; behind a proxy it may contain a path. */
export function originOf({ url }: Pick<RouteRequest, "url">): string {
  return url.origin + url.pathname.slice(0, Math.max(0, url.pathname.lastIndexOf(atomBase)));
}

function digest(text: string): string {
  return hash("sha1", text, "base64url");
}
