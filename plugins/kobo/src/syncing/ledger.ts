import type { Kysely } from "kysely";
import type { KoboTables } from "../tables.js";
import type { Change, Plan, SentBook } from "./planning.js";

/** What each device was sent. */
export class Ledger {
  constructor(private readonly database: Kysely<KoboTables>) {}

  read(deviceId: number): Promise<SentBook[]> {
    return this.database.selectFrom("sent_book").selectAll().where("device_id", "=", deviceId).execute();
  }

  /**
   * Writes down what the next answer tells, before it is sent.
   * @returns the number of the answer
   */
  note(deviceId: number, changes: readonly Change[], { settled }: Plan): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      if (settled.length > 0)
        await transaction
          .deleteFrom("sent_book")
          .where("device_id", "=", deviceId)
          .where("issue_id", "in", settled.slice(0, mostSettled))
          .execute();
      const { sequence } = await transaction
        .updateTable("device")
        .set((eb) => ({ sequence: eb("sequence", "+", changes.length > 0 ? 1 : 0), last_at: Date.now() }))
        .where("id", "=", deviceId)
        .returning("sequence")
        .executeTakeFirstOrThrow();
      for (const change of changes) await write(transaction, { deviceId, sequence }, change);
      return sequence;
    });
  }

  /** The user removed a book on the device: it is not sent again while it stays on the user's shelves. */
  async decline(deviceId: number, issueId: number): Promise<void> {
    await this.database
      .updateTable("sent_book")
      .set({ standing: "declined" })
      .where("device_id", "=", deviceId)
      .where("issue_id", "=", issueId)
      .execute();
  }

  /** The device knows this state, because it is the device's own. */
  async knows(deviceId: number, issueId: number, state: string): Promise<void> {
    await this.database
      .updateTable("sent_book")
      .set({ state })
      .where("device_id", "=", deviceId)
      .where("issue_id", "=", issueId)
      .execute();
  }
}

/** The rest is deleted at the next synchronisation. */
const mostSettled = 500;

async function write(
  database: Kysely<KoboTables>,
  { deviceId, sequence }: { readonly deviceId: number; readonly sequence: number },
  change: Change,
): Promise<void> {
  if (change.kind === "removed") {
    await database
      .updateTable("sent_book")
      .set({ standing: "removed", last_sequence: sequence })
      .where("device_id", "=", deviceId)
      .where("issue_id", "=", change.issueId)
      .execute();
    return;
  }
  const { revision, state, issueId } = change.wanted;
  const row = { standing: "sent", revision, state, last_sequence: sequence } as const;
  await database
    .insertInto("sent_book")
    .values({ device_id: deviceId, issue_id: issueId, first_sequence: sequence, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(["device_id", "issue_id"])
        .doUpdateSet(change.kind === "new" ? { ...row, first_sequence: sequence } : row),
    )
    .execute();
}
