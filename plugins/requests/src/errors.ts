import { Conflict, LongboxError, NotFound } from "@longbox/sdk";
import type { RequestState } from "./tables.js";

export class RequestNotFound extends NotFound {
  constructor(id: number) {
    super("requests/request-not-found", `There is no request ${id}.`, { id });
  }
}

/** The library already has it. The answer contains the id of its series. */
export class AlreadyOwned extends Conflict {
  constructor(seriesId: number) {
    super("requests/already-owned", "The library already has this.", { seriesId }, { body: { seriesId } });
  }
}

export class AlreadyDecided extends Conflict {
  constructor(state: RequestState) {
    super("requests/already-decided", `This request is already ${state}.`, { state });
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
    super(
      "forbidden",
      "requests/not-your-request",
      `Request ${id} was made by another user and cannot be withdrawn by you.`,
    );
  }
}

export class NotFoundAtSource extends NotFound {
  constructor(id: string) {
    super("requests/not-found-at-source", `The source has nothing with the id ${id}.`, { id });
  }
}

export class NoSource extends LongboxError {
  constructor(kind: string) {
    super("unavailable", "requests/no-source", `No running plugin is a source of the kind "${kind}".`, { kind });
  }
}
