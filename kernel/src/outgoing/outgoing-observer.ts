import { token } from "../injection.js";

/** One request to another server, and its answer; a redirect that is followed is a request of its own. */
export interface OutgoingExchange {
  readonly method: string;
  readonly url: URL;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  /** Until the answer began. */
  readonly milliseconds: number;
}

/** Hears of each request to another server. */
export interface OutgoingObserver {
  exchanged(exchange: OutgoingExchange): void;
}
export const OutgoingObserver = token<OutgoingObserver>("the observer of requests to other servers");
