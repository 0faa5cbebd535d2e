import { messageOf, t } from "@longbox/sdk/ui";
import type { ClientNotice } from "@longbox/sdk/client";

/** Code of the interface could not be fetched: the server is away, or has another version now. */
export class NotLoaded extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(t("loading.couldNotBeLoaded", { what }), options);
    this.name = "NotLoaded";
  }
}

/** The same for what `import` throws, whose message is meant for developers. Other errors stay as they are. */
export function asNotLoaded(thrown: unknown, what: string): unknown {
  return thrown instanceof TypeError ? new NotLoaded(what, { cause: thrown }) : thrown;
}

/** A toast that says what went wrong, with a button to reload the document where that helps. */
export function failureNotice(thrown: unknown): readonly [message: string, notice: ClientNotice] {
  const action = { label: t("loading.reload"), run: () => location.reload() };
  return [messageOf(thrown), { level: "warning", ...(thrown instanceof NotLoaded && { action }) }];
}
