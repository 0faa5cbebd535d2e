import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { OpenLibrary } from "../asking/open-library.js";
import { address } from "../settings.js";
import { testSchema } from "../shapes.js";

const body = z.object({ baseUrl: address.optional(), contact: z.string().max(200).optional() });
export type TrialValues = z.output<typeof body>;

/** @param trial - Open Library at an address that is not saved yet */
export function testRoute(trial: (values: TrialValues) => Pick<OpenLibrary, "test">): Route {
  return defineRoute({
    method: "POST",
    path: "/api/open-library/test",
    access: "settings.manage",
    summary: "Test the connection to Open Library, also with values that are not saved yet",
    body: body.default({}),
    response: testSchema,
    async handle(request) {
      try {
        await trial(request.body).test();
        return { ok: true, message: "Open Library answers." };
      } catch (fault) {
        request.signal.throwIfAborted();
        return { ok: false, message: fault instanceof Error ? fault.message : "The test failed." };
      }
    },
  });
}
