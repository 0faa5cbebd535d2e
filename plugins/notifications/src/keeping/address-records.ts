import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import type { AddressTable, NotificationTables } from "../tables.js";

const fieldsSchema = z.record(z.string(), z.string());
const answersSchema = z.array(z.object({ at: z.number(), ok: z.boolean(), text: z.string() }));

export type Answer = z.output<typeof answersSchema>[number];

/** Where a user can be reached. Times are milliseconds since 1970. */
export interface Address {
  readonly id: number;
  readonly userId: number;
  readonly channel: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  /** Its owner has proved to read what is sent there, or need not. */
  readonly verified: boolean;
  readonly trouble: string | undefined;
  readonly failures: number;
  /** Newest first. */
  readonly answers: readonly Answer[];
  readonly createdAt: number;
}

export interface AddressChange {
  readonly name?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly enabled?: boolean | undefined;
  readonly verified?: boolean | undefined;
  readonly trouble?: string | null | undefined;
  readonly failures?: number | undefined;
  readonly answers?: readonly Answer[] | undefined;
}

/** The addresses of all users. */
export class AddressRecords {
  constructor(private readonly database: Kysely<NotificationTables>) {}

  async list(userId: number): Promise<Address[]> {
    const rows = await this.database
      .selectFrom("address")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute();
    return rows.map(toAddress);
  }

  async find(id: number): Promise<Address | undefined> {
    const row = await this.database.selectFrom("address").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toAddress(row);
  }

  async add(address: Pick<Address, "userId" | "channel" | "name" | "fields" | "verified">): Promise<number> {
    const { id } = await this.database
      .insertInto("address")
      .values({
        user_id: address.userId,
        channel: address.channel,
        name: address.name,
        fields: JSON.stringify(address.fields),
        enabled: 1,
        verified: address.verified ? 1 : 0,
        trouble: null,
        failures: 0,
        answers: "[]",
        created_at: Date.now(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async change(id: number, change: AddressChange): Promise<void> {
    const set = {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.fields !== undefined && { fields: JSON.stringify(change.fields) }),
      ...(change.enabled !== undefined && { enabled: change.enabled ? (1 as const) : (0 as const) }),
      ...(change.verified !== undefined && { verified: change.verified ? (1 as const) : (0 as const) }),
      ...(change.trouble !== undefined && { trouble: change.trouble }),
      ...(change.failures !== undefined && { failures: change.failures }),
      ...(change.answers !== undefined && { answers: JSON.stringify(change.answers) }),
    };
    if (Object.keys(set).length === 0) return;
    await this.database.updateTable("address").set(set).where("id", "=", id).execute();
  }

  /** Keeps the code that is sent to an address, in place of the one before. @param hash - of the code */
  async putCode(id: number, hash: string): Promise<void> {
    const row = { hash, made_at: Date.now(), tries: 0 };
    await this.database
      .insertInto("code")
      .values({ address_id: id, ...row })
      .onConflict((conflict) => conflict.column("address_id").doUpdateSet(row))
      .execute();
  }

  /**
   * Takes a code, once: a right one verifies the address, a wrong one is counted. @param since - older codes are not
   * taken
   * @returns whether it was right
   */
  async takeCode(id: number, hash: string, { since, most }: { since: number; most: number }): Promise<boolean> {
    return await this.database.transaction().execute(async (transaction) => {
      const live = transaction
        .updateTable("code")
        .set((eb) => ({ tries: eb("tries", "+", 1) }))
        .where("address_id", "=", id)
        .where("made_at", ">=", since)
        .where("tries", "<", most);
      const code = await live.returning("hash").executeTakeFirst();
      if (code?.hash !== hash) return false;
      await transaction.deleteFrom("code").where("address_id", "=", id).execute();
      await transaction.updateTable("address").set({ verified: 1 }).where("id", "=", id).execute();
      return true;
    });
  }

  async remove(id: number): Promise<void> {
    await this.database.deleteFrom("address").where("id", "=", id).execute();
  }
}

function toAddress(row: Selectable<AddressTable>): Address {
  return {
    id: row.id,
    userId: row.user_id,
    channel: row.channel,
    name: row.name,
    fields: fieldsSchema.parse(JSON.parse(row.fields)),
    enabled: row.enabled === 1,
    verified: row.verified === 1,
    trouble: row.trouble ?? undefined,
    failures: row.failures,
    answers: answersSchema.parse(JSON.parse(row.answers)),
    createdAt: row.created_at,
  };
}
