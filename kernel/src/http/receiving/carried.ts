import type { Middleware, Request } from "polka";
import type { Grant } from "../../access/identifying/grant.js";
import type { CompiledRoute } from "../routing/compiled-route.js";
import type { Exchange, RouteCall } from "../routing/route-call.js";
import type { Found } from "../routing/route-table.js";

/** A request on its way through the steps, each of which adds its results. */
export interface Carried extends Exchange {
  /** When it came, or when it was let in after a start. */
  startedAt: number;
  /** As the client wrote it, without the base path. */
  readonly path: string;
  /** With the question mark; empty where there is none. */
  readonly search: string;
  /** What the path leads to, and the route of this path and method. */
  found?: Found<CompiledRoute> | undefined;
  compiled?: CompiledRoute | undefined;
  /** Its owner was being replaced, and still is. */
  notReady?: true;
  /**
   * When the answer began, on the clock of {@link startedAt}: what is sent after that takes as long as its reader
   * takes.
   */
  answeredAt?: number;
  grant?: Grant;
  call?: RouteCall;
}

export interface CarryingRequest extends Request {
  carried: Carried;
}

/** Lets a request go on. What it returns settles once the answer has been sent. */
export type Next = (carried: Carried) => unknown;

/** One thing that happens to a request. A step that does not answer calls the next one. */
export type Step = (carried: Carried, next: Next) => unknown;

/** A step as polka takes it. */
export const step =
  (one: Step): Middleware<CarryingRequest> =>
  (request, _response, next) =>
    one(request.carried, () => next()) as Promise<void>;

/**
 * Combines several steps, and what answers at the end, once for all requests. As middlewares of polka, each step would
 * cost every request a promise: together a tenth of the processor time of a short answer.
 */
export const inTurn = (steps: readonly Step[], last: Next): Next =>
  steps.reduceRight<Next>((next, one) => (carried) => one(carried, next), last);

export type RouteStep = (carried: Routed, next: Next) => unknown;

/** Several steps, and what answers at the end, for requests that have a route. */
export const onRoute = (steps: readonly RouteStep[], last: (carried: Routed) => unknown): Step => {
  const all = inTurn(steps as readonly Step[], last as Next);
  return (carried, next) => (isRouted(carried) ? all(carried) : next(carried));
};

/** A request that has found its route. */
export interface Routed extends Carried {
  found: Found<CompiledRoute>;
  compiled: CompiledRoute;
}

const isRouted = (carried: Carried): carried is Routed => carried.compiled !== undefined;
