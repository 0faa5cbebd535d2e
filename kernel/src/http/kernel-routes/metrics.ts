import type { Registry } from "prom-client";
import type { EventHub } from "../../events/event-hub.js";
import type { Used, UseOfOwners } from "../../measuring/use-of-owners.js";
import type { CompiledRoute } from "../routing/compiled-route.js";
import type { Routes } from "../routing/routes.js";
import { durationBuckets } from "./tally.js";

let processMetrics: Promise<Registry> | undefined;

/** What is measured. */
export interface Measured {
  readonly routes: Routes;
  readonly events: EventHub;
  readonly use: UseOfOwners;
  readonly plugins: () => readonly MeasuredPlugin[];
  /** The memory of a plugin's own process, in bytes; undefined for one without. */
  readonly memoryOf: (plugin: string) => number | undefined;
  /** How many versions of plugins are in memory that are not installed any more. */
  readonly retiredModules: () => number;
}

export interface MeasuredPlugin {
  readonly name: string;
  readonly version: string;
  readonly state: string;
  readonly faults: number;
}

/** The measurements in Prometheus' text format. They are computed when they are asked for. */
export async function writeMetrics(measured: Measured): Promise<string> {
  const { routes, events, use, plugins, retiredModules } = measured;
  const registry = await (processMetrics ??= collectProcess());
  const routesAsked = routes.list().filter(({ tally }) => tally.count > 0);
  return [
    (await registry.metrics()).trimEnd(),
    "# HELP longbox_event_clients Clients of the event stream.\n# TYPE longbox_event_clients gauge",
    `longbox_event_clients ${events.clients}`,
    "# HELP longbox_plugin_modules_retired Versions of plugins whose modules stay in memory until the server restarts.\n# TYPE longbox_plugin_modules_retired gauge",
    `longbox_plugin_modules_retired ${retiredModules()}`,
    "# HELP longbox_http_requests_total Answers by route and status.\n# TYPE longbox_http_requests_total counter",
    ...routesAsked.flatMap(requests),
    "# HELP longbox_http_request_duration_seconds Time to the answer by route.\n# TYPE longbox_http_request_duration_seconds histogram",
    ...routesAsked.flatMap(durations),
    ...pluginStates(plugins()),
    ...memory(measured),
    ...usedOf(use),
    "",
  ].join("\n");
}

async function collectProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

type AskedRoute = Pick<CompiledRoute, "tally" | "owner">;

const labels = ({ tally, owner }: AskedRoute) => `method="${tally.method}",route="${tally.path}",plugin="${owner.id}"`;

function requests(route: AskedRoute): string[] {
  return [...route.tally.statuses].map(
    ([code, count]) => `longbox_http_requests_total{${labels(route)},status="${code}"} ${count}`,
  );
}

function durations(route: AskedRoute): string[] {
  const { tally } = route;
  const name = "longbox_http_request_duration_seconds";
  let below = 0;
  const buckets = durationBuckets.map(
    (bound, at) => `${name}_bucket{${labels(route)},le="${bound}"} ${(below += tally.buckets[at]!)}`,
  );
  return [
    ...buckets,
    `${name}_bucket{${labels(route)},le="+Inf"} ${tally.count}`,
    `${name}_sum{${labels(route)}} ${tally.seconds}`,
    `${name}_count{${labels(route)}} ${tally.count}`,
  ];
}

function pluginStates(plugins: readonly MeasuredPlugin[]): string[] {
  return [
    "# HELP longbox_plugin_info Installed plugins, with their version and their state; the value is 1 where the plugin runs.",
    "# TYPE longbox_plugin_info gauge",
    ...plugins.map(
      ({ name, version, state }) =>
        `longbox_plugin_info{plugin="${name}",version="${version}",state="${state}"} ${state === "active" ? 1 : 0}`,
    ),
    "# HELP longbox_plugin_faults Faults of the plugin that count at present.\n# TYPE longbox_plugin_faults gauge",
    ...plugins.map(({ name, faults }) => `longbox_plugin_faults{plugin="${name}"} ${faults}`),
  ];
}

/** Of the plugins that have a process of their own. */
function memory({ plugins, memoryOf }: Measured): string[] {
  return [
    "# HELP longbox_plugin_memory_bytes Memory of the process of a plugin that has its own.\n# TYPE longbox_plugin_memory_bytes gauge",
    ...plugins().flatMap(({ name }) => {
      const bytes = memoryOf(name);
      return bytes === undefined ? [] : [`longbox_plugin_memory_bytes{plugin="${name}"} ${bytes}`];
    }),
  ];
}

/** By plugin; `kernel` for the server itself. */
function usedOf(use: UseOfOwners): string[] {
  const counter = (name: string, help: string, valueOf: (used: Used) => number) => [
    `# HELP ${name} ${help}\n# TYPE ${name} counter`,
    ...use.all().map(([owner, used]) => `${name}{plugin="${owner}"} ${valueOf(used)}`),
  ];
  return [
    ...counter("longbox_queries_total", "Queries to the tables of a plugin.", ({ queries }) => queries),
    ...counter(
      "longbox_query_seconds_total",
      "Time that queries ran, without the time that they waited for a transaction to end.",
      ({ querySeconds }) => querySeconds,
    ),
    ...counter("longbox_plugin_requests_total", "Requests that a plugin answered.", ({ requests: count }) => count),
    ...counter("longbox_plugin_failures_total", "Answers with a status of 500 or more.", ({ failures }) => failures),
    ...counter(
      "longbox_plugin_request_seconds_total",
      "Time until the answers of a plugin began.",
      ({ requestSeconds }) => requestSeconds,
    ),
  ];
}
