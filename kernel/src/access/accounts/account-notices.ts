import { releasable, type Logger, type Releasable } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import type { AccessTables, AccountNoticeTable } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";
import { AccessLog } from "../access-tokens.js";

type Kind = AccountNoticeTable["kind"];
type Listener = (accountId: number) => Promise<void>;

interface Channel {
  readonly plugin: string;
  readonly kind: Kind;
  readonly listeners: Set<Listener>;
  /** Notices go out one after the other. */
  last: Promise<void>;
}

/**
 * Notifies plugins that an account was deleted, or that the first account took over the data of the local admin. A
 * notice is stored, so that a plugin that was disabled or failed gets it when it is back.
 */
@injectable()
export class AccountNotices {
  readonly #channels = new Map<string, Channel>();

  constructor(
    @inject(AccessDatabase) private readonly database: Kysely<AccessTables>,
    @inject(AccessLog) private readonly log: Logger,
  ) {}

  /** Stores a notice; `deliver` sends it once the transaction is committed. */
  async write(kind: Kind, accountId: number, database: Transaction<AccessTables>): Promise<void> {
    await database
      .insertInto("account_notice")
      .values({ kind, account_id: accountId, created_at: new Date().toISOString() })
      .execute();
  }

  /** Adds a listener, which first gets the notices that this plugin has missed. */
  listen(plugin: string, kind: Kind, listener: Listener): Releasable {
    const channel = this.#channels.get(`${kind} ${plugin}`) ?? {
      plugin,
      kind,
      listeners: new Set<Listener>(),
      last: Promise.resolve(),
    };
    this.#channels.set(`${kind} ${plugin}`, channel);
    channel.listeners.add(listener);
    void this.#advance(channel);
    return releasable(() => void channel.listeners.delete(listener));
  }

  /** The same, as the plugin host gives it to one plugin. */
  watching(plugin: string) {
    return {
      onUserDeleted: (listener: Listener) => this.listen(plugin, "deleted", listener),
      onUserAdopted: (listener: (change: { from: number; to: number }) => Promise<void>) =>
        this.listen(plugin, "adopted", (to) => listener({ from: 0, to })),
    };
  }

  /** Resolves when every listening plugin has handled all notices, or failed. */
  async deliver(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => this.#advance(channel)));
  }

  /** Deletes the record of a plugin's notices, as part of a purge. */
  async forget(plugin: string): Promise<void> {
    await this.database.deleteFrom("notice_cursor").where("plugin", "=", plugin).execute();
  }

  #advance(channel: Channel): Promise<void> {
    channel.last = channel.last
      .then(() => this.#tell(channel))
      .catch((thrown: unknown) => {
        this.log.error(
          `The plugin "${channel.plugin}" could not be told that an account was ${channel.kind}; it will be told again.`,
          { error: thrown, plugin: channel.plugin },
        );
      });
    return channel.last;
  }

  async #tell({ plugin, kind, listeners }: Channel): Promise<void> {
    if (listeners.size === 0) return;
    const cursor = await this.database
      .selectFrom("notice_cursor")
      .select("notice_id")
      .where("plugin", "=", plugin)
      .where("kind", "=", kind)
      .executeTakeFirst();
    const notices = await this.database
      .selectFrom("account_notice")
      .selectAll()
      .where("kind", "=", kind)
      .where("id", ">", cursor?.notice_id ?? 0)
      .orderBy("id")
      .execute();
    for (const notice of notices) {
      await Promise.all([...listeners].map((listener) => listener(notice.account_id)));
      await this.database
        .insertInto("notice_cursor")
        .values({ plugin, kind, notice_id: notice.id })
        .onConflict((conflict) => conflict.columns(["plugin", "kind"]).doUpdateSet({ notice_id: notice.id }))
        .execute();
    }
  }
}
