import type { User } from "@longbox/sdk";
import type { Account } from "./account.js";
import { Rights } from "./rights.js";
import { Roles } from "./roles.js";
import { inject, injectable } from "../../injection.js";

const noRights = new Rights(new Set());

/**
 * The current state and rights of an account. It is a live object, so every holder of a viewer follows a change at
 * once.
 */
export class Standing {
  #user: User;
  #rights: Rights;
  #hidesMature: boolean;

  constructor(user: User, rights: Rights, hidesMature = false) {
    this.#user = Object.freeze({ ...user });
    this.#rights = rights;
    this.#hidesMature = hidesMature;
  }

  get user(): User {
    return this.#user;
  }

  get rights(): Rights {
    return this.#rights;
  }

  get hidesMature(): boolean {
    return this.#hidesMature;
  }

  become(user: User, rights: Rights, hidesMature: boolean): void {
    this.#user = Object.freeze({ ...user });
    this.#rights = rights;
    this.#hidesMature = hidesMature;
  }

  /** The account is disabled or deleted: a viewer that is still held may do nothing. */
  end(): void {
    this.#rights = noRights;
  }
}

/** The standing of each account that has been seen or changed since the start. */
@injectable()
export class Standings {
  readonly #roles: Roles;
  readonly #known = new Map<number, Standing>();

  constructor(@inject(Roles) roles: Roles) {
    this.#roles = roles;
  }

  /** @param account - As it was read; a later change that has been adopted already wins */
  of(account: Account): Standing {
    return this.#known.get(account.id) ?? this.#make(account);
  }

  /** Takes over what an account has become; undefined once it is deleted. */
  adopt(id: number, account: Account | undefined): void {
    const known = this.#known.get(id);
    if (account === undefined) known?.end();
    else if (known === undefined) this.#make(account);
    else if (account.active) known.become(userOf(account), this.#roles.rights(account.role), account.hideMature);
    else known.end();
  }

  #make(account: Account): Standing {
    const standing = new Standing(userOf(account), this.#roles.rights(account.role), account.hideMature);
    if (!account.active) standing.end();
    this.#known.set(account.id, standing);
    return standing;
  }
}

const userOf = ({ id, username, role }: Account): User => ({ id, username, role });
