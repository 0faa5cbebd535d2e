import { defineRoute, reply, type Logger, type Route, type StatusPart, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { Offered } from "../../access/access-tokens.js";
import { describeApi } from "../routing/openapi.js";
import { writeMetrics, type Measured } from "./metrics.js";
import { behind } from "../routing/route-call.js";

/** How long one part of the status may take, in milliseconds, before the answer goes out without it. */
const partMs = 2000;

export interface SystemParts extends Measured {
  version: string;
  /** Whether plugins are being started. */
  starting: () => boolean;
  statusParts: Offered<StatusPart>;
  log: Logger;
}

/** Health, status, the stream of changes, and what describes and measures the server. */
export function systemRoutes(parts: SystemParts): Route[] {
  return [...stateRoutes(parts), eventsRoute(parts), ...describingRoutes(parts)];
}

function stateRoutes(parts: SystemParts): Route[] {
  const { version, starting } = parts;
  const startedAt = new Date().toISOString();
  return [
    defineRoute({
      method: "GET",
      path: "/healthz",
      access: "public",
      summary: "Whether the server answers, and its role among the servers of the library",
      description:
        "`starting` while plugins are being started. `alone` with tables in SQLite. Where they are in PostgreSQL, one server is the `leader`; a `follower` has every request, this one too, answered by the leader.",
      response: z.object({
        ok: z.literal(true),
        role: z.enum(["alone", "leader", "follower"]),
        starting: z.literal(true).optional(),
      }),
      handle: (request) => ({
        ok: true as const,
        role: behind(request).asked,
        ...(starting() && { starting: true as const }),
      }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/status",
      access: "library.view",
      summary: "The version, and the state of the plugins",
      response: z.looseObject({ version: z.string(), startedAt: z.string() }),
      handle: async (request) => ({ version, startedAt, ...(await readParts(parts, request.viewer)) }),
    }),
  ];
}

function eventsRoute(parts: SystemParts): Route {
  const { events } = parts;
  return defineRoute({
    method: "GET",
    path: "/api/events",
    access: "library.view",
    summary: "The stream of change events (Server-Sent Events)",
    description:
      "Each event is named after a domain that should be fetched again. `reset` means all domains. The number at the end of an id increases by one from event to event.",
    responseType: "text/event-stream",
    handle(request) {
      const stream = events.open(behind(request).grant, request.header("last-event-id"));
      request.signal.addEventListener("abort", () => stream.destroy(), { once: true });
      const headers = { "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };
      return reply.content({ kind: "stream", stream, contentType: "text/event-stream; charset=utf-8" }, { headers });
    },
  });
}

/** What describes and measures the server. */
function describingRoutes(parts: SystemParts): Route[] {
  const { routes, version } = parts;
  const describe = describeApi(routes, version);
  return [
    defineRoute({
      method: "GET",
      path: "/api/openapi.json",
      access: "library.view",
      summary: "This interface, described in OpenAPI 3.1",
      response: z.looseObject({ openapi: z.string() }),
      async handle(request) {
        const { prefix } = behind(request).client;
        return prefix === "" ? describe() : { ...(await describe()), servers: [{ url: prefix }] };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/metrics",
      access: "system.logs",
      summary: "Measurements, in Prometheus' text format",
      responseType: "text/plain",
      handle: async () => reply.text(await writeMetrics(parts), "text/plain; version=0.0.4; charset=utf-8"),
    }),
  ];
}

/** A part that fails or takes too long is left out, and reported: the others are worth having. */
async function readParts({ statusParts, log }: SystemParts, viewer: Viewer): Promise<Record<string, unknown>> {
  const read = async (plugin: string, part: StatusPart) => {
    try {
      return await Promise.race([part.read(viewer), tooLate()]);
    } catch (thrown) {
      log.warn(`The plugin "${plugin}" could not say its status.`, { error: thrown, plugin });
      return {};
    }
  };
  const answers = await Promise.all(
    statusParts.entries().map(({ plugin, contribution }) => read(plugin, contribution)),
  );
  return Object.assign({}, ...answers) as Record<string, unknown>;
}

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error(`It took more than ${partMs} ms.`)), partMs).unref(),
  );
}
