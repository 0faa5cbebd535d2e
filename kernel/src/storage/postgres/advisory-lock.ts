import { Client } from "pg";
import type { Releasable } from "@longbox/sdk";
import { connectionDefaults } from "./pool/connection-pool.js";
import { endFormerConnections } from "./pool/former-connections.js";
import { translatePostgresFault } from "./postgres-faults.js";

/** PostgreSQL notices within some ten seconds that the machine of a session is gone; by default it takes hours. */
const keepalive =
  "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000";

export interface AdvisoryLockOptions {
  /** What is locked: any text. */
  readonly key: string;
  /** Who locks it: a name that no other process has, of at most 63 letters. */
  readonly holder: string;
}

/** A lock that PostgreSQL keeps for a connection of its own: it goes with the connection, however that ends. */
export class AdvisoryLock implements Releasable {
  readonly #client: Client;
  readonly #key: string;
  readonly #ended: Promise<void>;

  private constructor(client: Client, key: string) {
    this.#client = client;
    this.#key = key;
    this.#ended = new Promise((resolve) => client.once("end", resolve));
  }

  /**
   * Connects, and ends connections of the same holder whose break the server has not noticed.
   * @throws {LongboxError} `kernel/database-away`
   */
  static async connect(url: string, { key, holder }: AdvisoryLockOptions): Promise<AdvisoryLock> {
    const client = new Client({
      connectionString: url,
      ...connectionDefaults,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      application_name: holder,
      options: `${connectionDefaults.options} ${keepalive}`,
    });
    // A connection that breaks while nothing runs on it would otherwise end the process; `ended` tells of it.
    client.on("error", () => undefined);
    try {
      await client.connect();
      await endFormerConnections(client, holder);
      return new AdvisoryLock(client, key);
    } catch (fault) {
      client.end().catch(() => undefined);
      throw translatePostgresFault(fault);
    }
  }

  /** Settles when the connection has ended, and the lock with it. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async tryTake(): Promise<boolean> {
    const { rows } = await this.#client.query("select pg_try_advisory_lock(hashtextextended($1, 0)) as taken", [
      this.#key,
    ]);
    return (rows[0] as { taken: boolean }).taken;
  }

  /** Waits until no other session has it. */
  async take(): Promise<void> {
    await this.#client.query("select pg_advisory_lock(hashtextextended($1, 0))", [this.#key]);
  }

  async release(): Promise<void> {
    await this.#client.end();
  }
}
