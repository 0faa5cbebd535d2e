import { defineRoute, LongboxError, type CredentialScheme, type Route } from "@longbox/sdk";
import { z } from "zod";
import { packagePattern, type Authors } from "./authors.js";
import type { Publishing } from "./publishing.js";

const authorSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    packages: z.array(z.string()),
    createdAt: z.string(),
    usedAt: z.string().optional(),
  })
  .meta({ id: "PluginAuthor" });
const newAuthor = z.object({
  name: z.string().trim().min(1).max(100),
  packages: z.array(packagePattern).min(1).max(100),
});
const publication = z.object({
  package: z.string(),
  version: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
const tagQuery = z.object({
  tag: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .max(40)
    .default("latest"),
});
/** Larger packages are published to the registry itself. */
const tarballBytes = 64 * 1024 * 1024;

/** Authors of plugins: admins make and revoke their tokens, and authors publish with them. */
export function authorRoutes({ authors, publishing }: { authors: Authors; publishing: Publishing }): Route[] {
  return [
    ...tokenRoutes(authors),
    defineRoute({
      method: "POST",
      path: "/api/plugins/publish",
      access: "plugins.manage",
      credentials: authorScheme(authors),
      summary: "Publish a package with the token of an author, in the header X-Author-Token",
      query: tagQuery,
      bodyFormat: "bytes",
      bodyLimitBytes: tarballBytes,
      body: z.instanceof(Uint8Array<ArrayBuffer>),
      response: publication,
      handle: async ({ body, query, header }) => {
        const author = authors.find(header(tokenHeader) ?? "");
        if (author === undefined)
          throw new LongboxError("not-signed-in", "kernel/author-unknown", "The token has just been revoked.");
        const { warnings, ...published } = await publishing.publish(author, body, query.tag);
        return { ...published, warnings: [...warnings] };
      },
    }),
  ];
}

const tokenHeader = "x-author-token";

/** A token publishes on behalf of the account that made it, for as long as that account manages plugins. */
function authorScheme(authors: Authors): CredentialScheme {
  return {
    id: "author-token",
    secretHeaders: [tokenHeader],
    identify: async ({ header }) => authors.accountOf(header(tokenHeader) ?? ""),
  };
}

function tokenRoutes(authors: Authors): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/plugins/authors",
      access: "plugins.manage",
      summary: "Who may publish plugins through this server",
      response: z.array(authorSchema),
      handle: () => authors.list(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/plugins/authors",
      access: "plugins.manage",
      summary:
        "Let an author publish packages; the answer holds the token, which is shown only once, and the registry's address",
      body: newAuthor,
      response: authorSchema.extend({ token: z.string(), registry: z.string() }),
      handle: ({ body, viewer }) => authors.add(body, viewer.user.id),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/plugins/authors/{id}",
      access: "plugins.manage",
      summary: "Revoke the token of an author",
      params: z.object({ id: z.string().max(64) }),
      response: z.object({ removed: z.literal(true) }),
      async handle({ params }) {
        await authors.remove(params.id);
        return { removed: true as const };
      },
    }),
  ];
}
