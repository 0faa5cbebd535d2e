import { defineRoute, signedIdParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { IssueNotFound } from "../errors.js";
import { shownLabel } from "../issues/issue-shape.js";
import type { IssueReading } from "../issues/issue-reading.js";
import type { WorksContract } from "../works/works-contract.js";

const params = z.object({ cvIssueId: signedIdParameter });

const formSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  type: z.string(),
  unit: z.string().meta({ description: "What one of its type is called: book, audiobook" }),
  label: z.object({ full: z.string(), short: z.string(), within: z.string().nullable() }),
  owned: z.boolean(),
  cover: z.string(),
});
export const formsSchema = z.object({
  forms: z.array(formSchema).meta({ description: "The same work, such as its audiobook" }),
  proposed: z
    .array(formSchema.extend({ reason: z.string() }))
    .meta({ description: "What may be the same work; only for users who manage the library" }),
});
export type Forms = z.output<typeof formsSchema>;

export interface FormRouteParts {
  readonly issues: IssueReading;
  readonly works: WorksContract;
}

/** The other forms of one work: which are known, which are likely, and a person's decision. */
export function formRoutes(parts: FormRouteParts): Route[] {
  return [readRoute(parts), linkRoute(parts), unlinkRoute(parts)];
}

function readRoute(parts: FormRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/issue/{cvIssueId}/forms",
    summary: "Read the other forms of an issue's work, such as the audiobook of an e-book",
    params,
    response: formsSchema,
    handle: async ({ params: { cvIssueId }, viewer }) => describe(parts, await idOf(parts, cvIssueId, viewer), viewer),
  });
}

function linkRoute(parts: FormRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/issue/{cvIssueId}/forms",
    access: "library.manage",
    summary: "Make two issues forms of one work",
    params,
    body: z.object({ cvIssueId: z.number().int() }),
    response: formsSchema,
    async handle({ params: { cvIssueId }, body, viewer }) {
      const id = await idOf(parts, cvIssueId, viewer);
      await parts.works.link([id, await idOf(parts, body.cvIssueId, viewer)], viewer);
      return await describe(parts, id, viewer);
    },
  });
}

function unlinkRoute(parts: FormRouteParts): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/issue/{cvIssueId}/forms",
    access: "library.manage",
    summary: "Take an issue out of its work; it is never linked with its other forms automatically again",
    params,
    response: formsSchema,
    async handle({ params: { cvIssueId }, viewer }) {
      const id = await idOf(parts, cvIssueId, viewer);
      await parts.works.unlink(id, viewer);
      return await describe(parts, id, viewer);
    },
  });
}

async function idOf({ issues }: FormRouteParts, cvIssueId: number, viewer: Viewer): Promise<number> {
  const row = await issues.finding.find(cvIssueId, viewer);
  if (!row) throw new IssueNotFound(cvIssueId);
  return row.id;
}

async function describe({ issues, works }: FormRouteParts, issueId: number, viewer: Viewer): Promise<Forms> {
  const mayLink = viewer.may("library.manage");
  const reasons = new Map(
    (mayLink ? await works.propose(issueId, viewer) : []).map((each) => [each.issueId, each.reason]),
  );
  const forms = await formsOf(issues, await works.findOthers(issueId, viewer), viewer);
  const proposed = await formsOf(issues, [...reasons.keys()], viewer);
  return { forms, proposed: proposed.map((form) => ({ ...form, reason: reasons.get(form.id) ?? "" })) };
}

async function formsOf(issues: IssueReading, issueIds: readonly number[], viewer: Viewer): Promise<Forms["forms"]> {
  return (await issues.finding.findAll(issueIds, viewer)).map((row) => {
    const { id, cvIssueId, type, label, owned } = issues.shapes.toIssue(row);
    const unit = issues.shapes.unitOf(type).one;
    return { id, cvIssueId, type, unit, label: shownLabel(label), owned, cover: `/api/issue/${cvIssueId}/cover` };
  });
}
