import { createHash } from "node:crypto";
import { AsyncLocalStorage } from "node:async_hooks";
import { network } from "../../access/credentials/network.js";

/** The request that something is done for, as far as it matters to the fault policy. */
export class RequestCause {
  /** The account, once it is known; undefined for a request without one. */
  account: number | undefined;
  /** What was asked for: the method and the target. */
  readonly input: string;
  readonly #address: string;
  #hash: string | undefined;

  constructor(input: string, address: string) {
    this.input = input;
    this.#address = address;
  }

  /** Addresses that one household is given count as one. */
  get network(): string {
    return network(this.#address);
  }

  /** What was asked for may hold secrets: only this is kept and told. `HEAD` and `GET` ask for the same. */
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
}

export function describeCause({ requester, network: from, input, inputHash }: RequestCause): DescribedCause {
  const method = input.slice(0, input.indexOf(" "));
  return { requester, network: from, method: method === "HEAD" ? "GET" : method, input: inputHash };
}

const causing = new AsyncLocalStorage<RequestCause | undefined>();

/** Runs what a request causes, however late; undefined for what no request causes, although a request began it. */
export function causedBy<T>(cause: RequestCause | undefined, work: () => T): T {
  return causing.run(cause, work);
}

/** The request that caused what runs at present; undefined for what a plugin does by itself. */
export function currentCause(): RequestCause | undefined {
  return causing.getStore();
}
