import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "./client.js";
import { Grant } from "./grant.js";
import { Rights } from "./rights.js";
import { sameSecret } from "./secrets.js";

/** The user that stands for whoever sets the server up, before there is an account. */
export const localUser = Object.freeze({ id: 0, username: "local", role: "admin" });

/** The state of a server without accounts. Once the first is there, it never comes back. */
export class OpenMode {
  readonly setupToken: string;
  readonly #grant = new Grant(localUser, new Rights("all"), { kind: "local" });
  #open: boolean;

  constructor(open: boolean, setupToken: string | undefined) {
    this.#open = open;
    this.setupToken = setupToken || randomBytes(16).toString("hex");
  }

  get open(): boolean {
    return this.#open;
  }

  end(): void {
    this.#open = false;
  }

  /** The local admin, for a request from this machine or with the setup token. */
  grant(client: Client, headers: IncomingHttpHeaders): Grant | undefined {
    if (!this.#open) return undefined;
    const token = headers["x-setup-token"];
    const proven = client.local || (typeof token === "string" && sameSecret(token, this.setupToken));
    return proven ? this.#grant : undefined;
  }
}
