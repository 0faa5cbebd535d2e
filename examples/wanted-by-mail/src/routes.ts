import type { CollectionContract, Issue } from "@longbox/collection/contract";
import {
  defineRoute,
  inProtocol,
  LongboxError,
  settingTestResult,
  type PluginSettings,
  type Route,
} from "@longbox/sdk";
import { z } from "zod";
import type { Arrivals } from "./arrivals.js";
import type { Boxes } from "./boxes.js";
import type { Receiving } from "./receiving.js";
import { boxSchema, type MailSettings } from "./settings.js";
import { wantedIssues } from "./wanted.js";

/** Mail servers rarely take larger attachments. */
const largestBytes = 64 * 1024 * 1024;
const mostListed = 1000;

const issueSchema = z.object({ cvIssueId: z.number().int(), seriesId: z.number().int(), name: z.string() });
const arrivalSchema = issueSchema.extend({ box: z.string(), fileName: z.string(), arrivedAt: z.iso.datetime() });
const fileName = z
  .string()
  .min(3)
  .max(200)
  .regex(/^[^/\\\p{Cc}]+\.[A-Za-z0-9]{1,8}$/u, "must be the name of a file, with an ending and without folders");

interface Parts {
  readonly library: CollectionContract;
  readonly boxes: Boxes;
  readonly receiving: Receiving;
  readonly arrivals: Arrivals;
  readonly settings: PluginSettings<MailSettings>;
}

export function mailRoutes(parts: Parts): Route[] {
  return [
    wantedRoute(parts),
    arrivalsRoute(parts),
    testRoute(parts),
    ...inProtocol({ credentials: parts.boxes.scheme }, [receiveRoute(parts)]),
  ];
}

function wantedRoute({ library }: Parts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/wanted-by-mail/wanted",
    access: "library.view",
    summary: "Which issues are wanted, so that users know what to send; the first thousand",
    response: z.array(issueSchema),
    async handle({ viewer }) {
      const found: Array<z.input<typeof issueSchema>> = [];
      for await (const issue of wantedIssues(library, viewer)) if (found.push(shown(issue)) === mostListed) break;
      return found;
    },
  });
}

function arrivalsRoute({ arrivals }: Parts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/wanted-by-mail/arrivals",
    access: "wanted-by-mail.follow",
    summary: "What arrived last",
    response: z.array(arrivalSchema),
    handle: async ({ viewer }) =>
      (await arrivals.list(viewer)).map(({ issue, box, fileName: name, arrivedAt }) => ({
        ...shown(issue),
        box,
        fileName: name,
        arrivedAt: new Date(arrivedAt).toISOString(),
      })),
  });
}

/** Tries one entry of the list as the form has it; masked secrets stand for the saved ones. */
function testRoute({ boxes, settings }: Parts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/wanted-by-mail/test",
    summary: "Whether files can arrive in a mail box",
    body: boxSchema,
    response: settingTestResult,
    async handle({ body }) {
      const problem = await boxes.problemOf(settings.unmasked({ boxes: [body] }).boxes[0]!);
      return { ok: problem === undefined, message: problem ?? "Files can arrive in this mail box." };
    },
  });
}

function receiveRoute({ boxes, receiving }: Parts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/wanted-by-mail/files",
    access: "library.manage",
    summary: "Take an attachment: a wanted issue, known by its name",
    query: z.object({ name: fileName }),
    body: z.instanceof(Uint8Array),
    bodyFormat: "bytes",
    bodyLimitBytes: largestBytes,
    response: issueSchema,
    async handle({ query, body, header, viewer }) {
      const box = boxes.find(header("x-box-secret"));
      // The box was taken away while its file arrived.
      if (!box) throw new LongboxError("not-signed-in", "wanted-by-mail/no-such-box", "There is no such mail box.");
      return shown(await receiving.receive({ name: query.name, bytes: body, box: box.name }, viewer));
    },
  });
}

function shown({ cvIssueId, seriesId, label }: Issue): z.input<typeof issueSchema> {
  return { cvIssueId, seriesId, name: label.full };
}
