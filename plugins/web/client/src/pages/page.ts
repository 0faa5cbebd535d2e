import { Action, LongboxElement } from "@longbox/sdk/ui";
import type { ClientSubject } from "@longbox/sdk/client";
import type { Shell } from "../shell/shell.js";

/** A page of the shell gets what a plugin's page gets, with more behind `longbox`. */
export abstract class Page extends LongboxElement<ClientSubject, Shell> {
  readonly #action = new Action(this, { notify: true });

  /** Does something that the user asked for, and says so when it fails. Answers whether it went well. */
  protected attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    return this.#action.run(work, done);
  }
}
