import { hash, randomBytes } from "node:crypto";
import type { CredentialScheme } from "@longbox/sdk";
import type { Kysely, Selectable } from "kysely";
import { DeviceNotFound, TooManyDevices } from "../kobo-errors.js";
import type { KoboTables } from "../tables.js";

export type Device = Selectable<KoboTables["device"]>;

const mostDevices = 20;

/**
 * The e-readers of users. Each has an address of its own, with a secret token in it, so that one can be revoked alone.
 */
export class Devices {
  constructor(private readonly database: Kysely<KoboTables>) {}

  /** The user's, the newest first. */
  list(userId: number): Promise<Device[]> {
    return this.database.selectFrom("device").selectAll().where("user_id", "=", userId).orderBy("id", "desc").execute();
  }

  /** @returns the device's token, which is not stored. @throws {TooManyDevices} */
  async add(userId: number, name: string): Promise<string> {
    if ((await this.list(userId)).length >= mostDevices) throw new TooManyDevices(mostDevices);
    const token = randomBytes(24).toString("base64url");
    await this.database
      .insertInto("device")
      .values({ user_id: userId, name, token_hash: stored(token), made_at: Date.now(), last_at: null, sequence: 0 })
      .execute();
    return token;
  }

  /** @throws {DeviceNotFound} also for those of other users */
  async remove(userId: number, id: number): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const removed = await transaction
        .deleteFrom("device")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      if (!removed) throw new DeviceNotFound();
      await transaction.deleteFrom("sent_book").where("device_id", "=", id).execute();
    });
  }

  async forgetUser(userId: number): Promise<void> {
    for (const { id } of await this.list(userId)) await this.remove(userId, id);
  }

  /** @throws {DeviceNotFound} when it was revoked since the request began */
  async get(token: string): Promise<Device> {
    const device = await this.#find(token);
    if (!device) throw new DeviceNotFound();
    return device;
  }

  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    await this.database.updateTable("device").set({ user_id: to }).where("user_id", "=", from).execute();
  }

  #find(token: string): Promise<Device | undefined> {
    const query = this.database.selectFrom("device").selectAll().where("token_hash", "=", stored(token));
    return query.executeTakeFirst();
  }

  readonly scheme: CredentialScheme = {
    id: "kobo",
    secretParameters: ["token"],
    identify: async ({ params }) => (await this.#find(params["token"] ?? ""))?.user_id,
  };
}

/** Of a random token of 192 bits, so a plain hash protects it. */
const stored = (token: string): string => hash("sha256", token);
