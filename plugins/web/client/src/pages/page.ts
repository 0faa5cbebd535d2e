import type { ClientSubject } from "@longbox/sdk/client";
import { LitElement } from "lit";
import { property } from "lit/decorators.js";
import type { Shell } from "../shell/shell.js";

/** A page of the shell gets what a plugin's page gets, with more behind `longbox`. */
export abstract class Page extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) subject: ClientSubject = {};

  /** Does something that the user asked for, and says so when it fails. Answers whether it went well. */
  protected async attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await work();
    } catch (thrown) {
      this.longbox.notify(thrown instanceof Error ? thrown.message : String(thrown), { level: "danger" });
      return false;
    }
    if (done !== undefined) this.longbox.notify(done, { level: "success" });
    return true;
  }
}
