import { Action, LongboxElement } from "@longbox/sdk/ui";
import type { ClientSubject } from "@longbox/sdk/client";
import type { Shell } from "../shell/shell.js";

/** A page of the shell gets the same properties as a plugin's page, with more behind `longbox`. */
export abstract class Page extends LongboxElement<ClientSubject, Shell> {
  readonly #action = new Action(this, { notify: true });

  /** Runs an action of the user and shows a message when it fails. @returns whether it succeeded */
  protected attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    return this.#action.run(work, done);
  }
}
