import type { LongboxClient } from "@longbox/sdk/client";
import { LitElement } from "lit";
import { property, state } from "lit/decorators.js";
import { messageOf } from "./wording.js";

/** A part of the page with buttons that do something on the server, one at a time. */
export abstract class Doing extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() protected busy = false;
  @state() protected problem: string | undefined;

  /** Does what a button says; what goes wrong stands in `problem` until the next attempt. */
  protected async attempt(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.problem = undefined;
    try {
      await work();
    } catch (fault) {
      this.problem = messageOf(fault);
    } finally {
      this.busy = false;
    }
  }

  protected post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.longbox.api<T>(path, { method: "POST", body });
  }
}
