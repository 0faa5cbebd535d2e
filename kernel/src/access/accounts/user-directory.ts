import { releasable, type KernelUsers, type Releasable, type UserSummary, type Viewer } from "@longbox/sdk";
import { Happening } from "../../events/happening.js";
import { Grant } from "../identifying/grant.js";
import { OpenMode } from "../identifying/open-mode.js";
import { BadLanguage } from "../access-errors.js";
import type { Account } from "./account.js";
import { Accounts } from "./accounts.js";
import { Roles } from "./roles.js";
import { Standings } from "./standing.js";
import { inject, injectable } from "../../injection.js";

/** The accounts as plugins see them: the contract `kernel.users`. */
@injectable()
export class UserDirectory implements KernelUsers {
  readonly #changed = new Happening<readonly number[]>();

  constructor(
    @inject(Accounts) private readonly accounts: Accounts,
    @inject(Roles) private readonly roles: Roles,
    @inject(Standings) private readonly standings: Standings,
    @inject(OpenMode) private readonly openMode: OpenMode,
  ) {
    accounts.onChanged((changed) => this.#changed.tell([...changed.keys()]));
    roles.onChanged((role) => void this.#tellHolders(role));
    openMode.onEnded(() => this.#changed.tell([0]));
  }

  async find(userId: number): Promise<UserSummary | undefined> {
    return (await this.findAll([userId]))[0];
  }

  async findAll(userIds: readonly number[]): Promise<readonly UserSummary[]> {
    const { accounts, openMode } = this;
    const local = openMode.open && userIds.includes(0) ? [{ ...openMode.user, active: true }] : [];
    return [...local, ...(await accounts.findAll(userIds)).map(summary)];
  }

  async listWithPermission(permission: string): Promise<readonly UserSummary[]> {
    const { accounts, openMode, roles } = this;
    if (openMode.open) return [{ ...openMode.user, active: true }];
    return (await accounts.listOfRoles(roles.holding(permission))).filter(({ active }) => active).map(summary);
  }

  async viewerOf(userId: number): Promise<Viewer | undefined> {
    const { accounts, openMode, standings } = this;
    if (userId === 0) return openMode.open ? new Grant(openMode.standing, { kind: "background" }) : undefined;
    const account = await accounts.find(userId);
    return account?.active ? new Grant(standings.of(account), { kind: "background" }) : undefined;
  }

  async setLanguage(userId: number, language: string | undefined): Promise<void> {
    if (language !== undefined && !languageTag.test(language)) throw new BadLanguage(language);
    const account = await this.accounts.find(userId);
    if (!account || account.language === language) return;
    await this.accounts.change(userId, { language: language ?? null });
  }

  onChanged(listener: (userIds: readonly number[]) => void): Releasable {
    const heard = this.#changed.on(listener);
    return releasable(() => heard.release());
  }

  async #tellHolders(role: string): Promise<void> {
    const holders = await this.accounts.listOfRoles([role]);
    if (holders.length > 0) this.#changed.tell(holders.map(({ id }) => id));
  }
}

const languageTag = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/;

function summary({ id, username, role, active, language }: Account): UserSummary {
  return { id, username, role, active, ...(language !== undefined && { language }) };
}
