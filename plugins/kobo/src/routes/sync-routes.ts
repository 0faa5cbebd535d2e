import { defineRoute, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Devices } from "../devices/devices.js";
import { bookMetadata } from "../documents/book.js";
import type { BookIds } from "../documents/book-ids.js";
import { readingState, toldStateSchema } from "../documents/reading-state.js";
import { resources } from "../documents/resources.js";
import type { Books } from "../syncing/books.js";
import type { Ledger } from "../syncing/ledger.js";
import type { Reporting } from "../syncing/reporting.js";
import type { Syncing } from "../syncing/syncing.js";
import { access, addressesOf, bookParams, deviceParams, store } from "./common.js";

export interface SyncRouteParts {
  readonly devices: Devices;
  readonly ids: BookIds;
  readonly books: Books;
  readonly ledger: Ledger;
  readonly syncing: Syncing;
  readonly reporting: Reporting;
}

/** What an e-reader synchronises: its start, the library, and reading states. */
export function syncRoutes(parts: SyncRouteParts): Route[] {
  return [startRoute(parts), libraryRoute(parts), metadataRoute(parts), ...stateRoutes(parts), removalRoute(parts)];
}

function startRoute({ ids }: SyncRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: `${store}/initialization`,
    access,
    summary: "The addresses that a Kobo uses",
    params: deviceParams,
    handle: (request) =>
      reply.json({ Resources: resources(addressesOf(request, ids).endpoint) }, { "x-kobo-apitoken": emptyToken }),
  });
}

/** `{}` in base64: a device expects some. */
const emptyToken = "e30=";

function libraryRoute({ devices, ids, syncing }: SyncRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: `${store}/library/sync`,
    access,
    summary: "What has changed on the user's shelves since the token in `x-kobo-synctoken`",
    params: deviceParams,
    async handle(request) {
      const { params, viewer, header } = request;
      const device = await devices.get(params.token);
      const addresses = addressesOf(request, ids);
      const token = header("x-kobo-synctoken");
      const answer = await syncing.next({ device, token, viewer, addresses });
      return reply.json(answer.items, {
        "x-kobo-synctoken": answer.token,
        ...(answer.continues && { "x-kobo-sync": "continue" }),
      });
    },
  });
}

function metadataRoute({ ids, books }: SyncRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: `${store}/library/{bookId}/metadata`,
    access,
    summary: "The description of a book",
    params: bookParams,
    async handle(request) {
      const { params, viewer } = request;
      const book = await books.get(ids.issueOf(params.bookId), viewer);
      return reply.json([bookMetadata(book, addressesOf(request, ids))]);
    },
  });
}

function stateRoutes({ devices, ids, books, reporting }: SyncRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${store}/library/{bookId}/state`,
      access,
      summary: "The user's position in a book",
      params: bookParams,
      async handle({ params, viewer }) {
        const { issue, state } = await books.get(ids.issueOf(params.bookId), viewer);
        return reply.json([readingState(ids.of(issue.id), state)]);
      },
    }),
    defineRoute({
      method: "PUT",
      path: `${store}/library/{bookId}/state`,
      access,
      summary: "Report the position of an e-reader in a book",
      params: bookParams,
      body: z.object({ ReadingStates: z.array(toldStateSchema).min(1).max(100) }),
      bodyLimitBytes: 64 * 1024,
      async handle({ params, body, viewer }) {
        const [book, device] = await Promise.all([
          books.get(ids.issueOf(params.bookId), viewer),
          devices.get(params.token),
        ]);
        const id = ids.of(book.issue.id);
        const told = body.ReadingStates.find(({ EntitlementId }) => EntitlementId === id) ?? body.ReadingStates[0]!;
        await reporting.take({ book, device, told, viewer });
        return reply.json({ RequestResult: "Success", UpdateResults: [accepted(id)] });
      },
    }),
  ];
}

const accepted = (EntitlementId: string) => ({
  EntitlementId,
  CurrentBookmarkResult: { Result: "Success" },
  StatisticsResult: { Result: "Ignored" },
  StatusInfoResult: { Result: "Success" },
});

function removalRoute({ devices, ids, ledger }: SyncRouteParts): Route {
  return defineRoute({
    method: "DELETE",
    path: `${store}/library/{bookId}`,
    access,
    summary: "The user removed a book on the e-reader: it is not sent to it again",
    params: bookParams,
    async handle({ params }) {
      const [device, issueId] = [await devices.get(params.token), ids.issueOf(params.bookId)];
      if (issueId !== undefined) await ledger.decline(device.id, issueId);
      return reply.empty({}, { protocolStatus: 204 });
    },
  });
}
