import type { Registry } from "prom-client";
import type { EventHub } from "../../events/event-hub.js";
import type { Routes } from "../routing/routes.js";
import { durationBuckets, type RouteTally } from "./tally.js";

let processMetrics: Promise<Registry> | undefined;

/** The measurements in Prometheus' text format. They are computed when they are asked for. */
export async function writeMetrics(routes: Routes, events: EventHub): Promise<string> {
  const registry = await (processMetrics ??= collectProcess());
  const tallies = routes
    .list()
    .map(({ tally }) => tally)
    .filter((tally) => tally.count > 0);
  return [
    (await registry.metrics()).trimEnd(),
    "# HELP longbox_event_clients Clients of the event stream.\n# TYPE longbox_event_clients gauge",
    `longbox_event_clients ${events.clients}`,
    "# HELP longbox_http_requests_total Answers by route and status.\n# TYPE longbox_http_requests_total counter",
    ...tallies.flatMap(requests),
    "# HELP longbox_http_request_duration_seconds Time to the answer by route.\n# TYPE longbox_http_request_duration_seconds histogram",
    ...tallies.flatMap(durations),
    "",
  ].join("\n");
}

async function collectProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

const labels = (tally: RouteTally) => `method="${tally.method}",route="${tally.path}"`;

function requests(tally: RouteTally): string[] {
  return [...tally.statuses].map(
    ([code, count]) => `longbox_http_requests_total{${labels(tally)},status="${code}"} ${count}`,
  );
}

function durations(tally: RouteTally): string[] {
  const name = "longbox_http_request_duration_seconds";
  let below = 0;
  const buckets = durationBuckets.map(
    (bound, at) => `${name}_bucket{${labels(tally)},le="${bound}"} ${(below += tally.buckets[at]!)}`,
  );
  return [
    ...buckets,
    `${name}_bucket{${labels(tally)},le="+Inf"} ${tally.count}`,
    `${name}_sum{${labels(tally)}} ${tally.seconds}`,
    `${name}_count{${labels(tally)}} ${tally.count}`,
  ];
}
