import { defineRoute, flagParameter, indexParameter, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { answerPage } from "../page-answers.js";
import { openDocumentSchema, openIssue } from "../open-document.js";
import type { RenderedPagesContract } from "@longbox/comics/contract";

const access = "reader.read";
const width = indexParameter.pipe(z.number().int().min(1).max(20_000));

type Sources = Parameters<typeof openIssue>[0] & { readonly rendered: RenderedPagesContract };

/** Opening issues and showing their pages. */
export function pageRoutes(sources: Sources): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/reader/issue/{cvIssueId}",
      access,
      summary: "Open an issue: its pages, its neighbours, and how far the viewer is",
      params: z.object({ cvIssueId: signedIdParameter }),
      response: openDocumentSchema,
      handle: ({ params, viewer }) => openIssue(sources, params.cvIssueId, viewer),
    }),
    defineRoute({
      method: "GET",
      path: "/api/reader/issue/{cvIssueId}/page/{n}",
      access,
      summary: "One page as an image",
      description:
        "Counted from 0. Without w and trim the page's own bytes. With them WebP or AVIF when Accept names it, else JPEG.",
      params: z.object({ cvIssueId: signedIdParameter, n: indexParameter }),
      query: z.object({ w: width.optional(), trim: flagParameter.optional(), v: z.string().max(200).optional() }),
      responseType: "image/*",
      handle: ({ params, query, viewer, header, signal }) =>
        answerPage(
          sources,
          {
            cvIssueId: params.cvIssueId,
            page: params.n,
            shape: { width: query.w, trim: query.trim, accept: header("accept") },
            version: query.v,
            signal,
          },
          viewer,
        ),
    }),
  ];
}
