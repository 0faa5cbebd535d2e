import { createHash } from "node:crypto";
import { AsyncLocalStorage } from "node:async_hooks";
import { network } from "../../access/credentials/network.js";

/** The request that caused some work, with what the fault policy needs of it. */
export class RequestCause {
  /** The account, once it is known; undefined for a request without one. */
  account: number | undefined;
  /** What was asked for: the method and the target. */
  readonly input: string;
  /** The plugin whose route it is, or `kernel`. Work for it may be done by any other plugin. */
  readonly route: string;
  /** The header with which a client joins the request to a trace of its own, as it came. */
  readonly traceparent: string | undefined;
  readonly #address: string;
  #hash: string | undefined;

  constructor(input: string, address: string, { route, traceparent }: Pick<RequestCause, "route" | "traceparent">) {
    this.input = input;
    this.#address = address;
    this.route = route;
    this.traceparent = traceparent;
  }

  /** Addresses that one household is given count as one. */
  get network(): string {
    return network(this.#address);
  }

  /** A hash, because the request may contain secrets. `HEAD` and `GET` have the same one. */
  get inputHash(): string {
    this.#hash ??= createHash("sha256")
      .update(this.input.replace(/^HEAD /, "GET "))
      .digest("hex");
    return this.#hash;
  }

  get requester(): string {
    return this.account === undefined ? this.network : `account ${this.account}`;
  }
}

/** A request as it is sent to another process. */
export interface DescribedCause {
  readonly requester: string;
  readonly network: string;
  /** `GET` also for `HEAD`. */
  readonly method: string;
  /** A hash. */
  readonly input: string;
  /** The plugin whose route it is, or `kernel`. */
  readonly route: string;
}

export function describeCause({ requester, network: from, input, inputHash, route }: RequestCause): DescribedCause {
  const method = input.slice(0, input.indexOf(" "));
  return { requester, network: from, method: method === "HEAD" ? "GET" : method, input: inputHash, route };
}

const causing = new AsyncLocalStorage<RequestCause | undefined>();

/**
 * Runs work on behalf of a request, including what it starts later; undefined for work that no request causes, even if
 * one started it.
 */
export function causedBy<T>(cause: RequestCause | undefined, work: () => T): T {
  return causing.run(cause, work);
}

/** The request that caused the running code; undefined for work of the plugin's own. */
export function currentCause(): RequestCause | undefined {
  return causing.getStore();
}
