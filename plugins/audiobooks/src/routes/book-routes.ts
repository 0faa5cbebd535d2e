import type { CoversContract } from "@longbox/collection/contract";
import { defineRoute, indexParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Conversions } from "../converting/conversions.js";
import { NoCover } from "../audiobook-errors.js";
import type { Audiobooks } from "../audiobooks.js";
import { canBeJoined } from "../sending/joined-parts.js";
import { convertedPart, type Sounds } from "../sending/streaming.js";
import { access, chaptersSchema, issueParams } from "./shapes.js";

export interface BookSources {
  readonly audiobooks: Audiobooks;
  readonly covers: CoversContract;
  readonly sounds: Sounds;
  readonly conversions: Conversions;
}

const width = indexParameter.pipe(z.number().int().min(1).max(20_000));
const partNumber = indexParameter.pipe(z.number().int().max(10_000));

/** The sound, the chapters and the cover of a book. */
export function bookRoutes(sources: BookSources): Route[] {
  return [streamRoute(sources), chaptersRoute(sources), coverRoute(sources)];
}

function streamRoute({ audiobooks, sounds, conversions }: BookSources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/issue/{id}/stream",
    access,
    acceptsBasic: true,
    summary: "The sound of an audiobook, whole or by ranges",
    description:
      "A book of several files is sent as one where its format can be joined (`joined` of its chapters). With part, one file.",
    params: issueParams,
    query: z.object({
      part: partNumber.optional().meta({ description: "One of its files, counted from 0" }),
      as: z.literal("mp3").optional().meta({
        description: "Converts the part, by default the first, for players that cannot play it; without ranges",
      }),
      from: z
        .string()
        .regex(/^\d{1,7}(\.\d{1,3})?$/, "must be seconds")
        .transform(Number)
        .default(0)
        .meta({ description: "Where a conversion begins in the part, in seconds" }),
    }),
    responseType: "audio/*",
    handle: async (request) => {
      const { params, query, viewer } = request;
      const book = await audiobooks.get(params.id, viewer);
      if (query.as !== undefined) {
        const { part = 0, from } = query;
        // Its signal costs as much as the rest of a short answer: ranges of a file do without.
        const { signal } = request;
        return reply.content(
          await convertedPart({ parts: sounds.parts, conversions }, book.files, { part, from, signal }),
        );
      }
      const { content, validator, lastModified } = await sounds.open(book.files, query.part);
      return reply.content(content, { validator, lastModified });
    },
  });
}

function chaptersRoute({ audiobooks, conversions }: BookSources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/issue/{id}/chapters",
    access,
    summary: "The chapters of an audiobook, and its files",
    params: issueParams,
    response: chaptersSchema,
    handle: async ({ params, viewer }) => {
      const { files } = await audiobooks.get(params.id, viewer);
      return {
        chapters: [...files.chapters],
        duration: files.duration,
        parts: files.parts.map(({ name, contentType, sizeBytes, start, end }) => ({
          name,
          contentType,
          size: sizeBytes,
          start,
          end,
        })),
        joined: canBeJoined(files),
        converts: conversions.areAvailable,
      };
    },
  });
}

function coverRoute({ audiobooks, covers }: BookSources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/issue/{id}/cover",
    access,
    acceptsBasic: true,
    summary: "The cover of an audiobook",
    params: issueParams,
    query: z.object({ w: width.optional().meta({ description: "Pixels; never enlarged" }) }),
    responseType: "image/*",
    handle: async ({ params, query: { w }, viewer, header }) => {
      const { id } = await audiobooks.getIssue(params.id, viewer);
      const shape = { width: w, accept: header("accept") };
      const described = await covers.describe({ issueId: id }, shape, viewer);
      if (!described) throw new NoCover();
      const { validator } = described;
      return reply.content(() => covers.read({ issueId: id }, shape, viewer), { validator, vary: ["Accept"] });
    },
  });
}
