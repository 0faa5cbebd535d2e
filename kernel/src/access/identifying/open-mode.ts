import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Releasable, User } from "@longbox/sdk";
import type { Client } from "./client.js";
import { Grant } from "./grant.js";
import { Rights } from "../accounts/rights.js";
import { Standing } from "../accounts/standing.js";
import { Happening } from "../../events/happening.js";
import { sameSecret } from "../credentials/secrets.js";
import { injectable, injectOptional } from "../../injection.js";
import { SetupToken } from "../../kernel-tokens.js";

/** The user that stands for the person who sets the server up, before there is an account. */
export const localUser = Object.freeze({ id: 0, username: "local", role: "admin" });

/** The state of a server without accounts. Once the first is there, it never comes back. */
@injectable()
export class OpenMode {
  readonly setupToken: string;
  /** What the local admin may do: everything, until the first account is made. */
  readonly standing = new Standing(localUser, new Rights("all"));
  readonly #grant = new Grant(this.standing, { kind: "local" });
  readonly #ended = new Happening<void>();
  #open = false;

  constructor(@injectOptional(SetupToken) setupToken: string | undefined) {
    this.setupToken = setupToken || randomBytes(16).toString("hex");
  }

  get open(): boolean {
    return this.#open;
  }

  /** There is no account yet. */
  begin(): void {
    this.#open = true;
  }

  get user(): User {
    return localUser;
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.standing.end();
    this.#ended.tell();
  }

  onEnded(listener: () => void): Releasable {
    return this.#ended.on(listener);
  }

  /** The local admin, for a request from this machine or with the setup token. */
  grant(client: Client, headers: IncomingHttpHeaders): Grant | undefined {
    if (!this.#open) return undefined;
    const token = headers["x-setup-token"];
    const proven = client.local || (typeof token === "string" && sameSecret(token, this.setupToken));
    return proven ? this.#grant : undefined;
  }
}
