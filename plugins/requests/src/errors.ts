import { Conflict, LongboxError, NotFound } from "@longbox/sdk";
import type { RequestState } from "./tables.js";

export class RequestNotFound extends NotFound {
  constructor(id: number) {
    super("requests/request-not-found", `There is no request ${id}.`, { id });
  }
}

/** The library has it already. The answer carries the id of its series. */
export class AlreadyOwned extends Conflict {
  constructor(seriesId: number) {
    super("requests/already-owned", "The library has this already.", { seriesId }, { body: { seriesId } });
  }
}

export class AlreadyDecided extends Conflict {
  constructor(state: RequestState) {
    super("requests/already-decided", `This request is ${state} already.`, { state });
  }
}

/** The server's policy does not allow it. */
export class AgainstPolicy extends LongboxError {
  constructor(reason: string) {
    super("forbidden", "requests/against-policy", `This request is refused. ${reason}`);
  }
}

/** Another user's request may only be withdrawn by users who decide on requests. */
export class NotYourRequest extends LongboxError {
  constructor(id: number) {
    super("forbidden", "requests/not-your-request", `Another user asked for this; you may not withdraw request ${id}.`);
  }
}

export class NotFoundAtSource extends NotFound {
  constructor(id: string) {
    super("requests/not-found-at-source", `The source knows nothing by the id ${id}.`, { id });
  }
}

export class NoSource extends LongboxError {
  constructor(kind: string) {
    super("unavailable", "requests/no-source", `No plugin finds things of the kind "${kind}" now.`, { kind });
  }
}
