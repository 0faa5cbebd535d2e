import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { KoboTables } from "../tables.js";

/**
 * Books have UUIDs on a Kobo. They hold the issue's id, behind random digits of this server: an e-reader that
 * synchronised with another server keeps the books of both apart, and ids of the shop are recognised as foreign.
 */
export class BookIds {
  /** @param prefix - 18 hexadecimal digits */
  constructor(private readonly prefix: string) {}

  static async open(database: Kysely<KoboTables>): Promise<BookIds> {
    await database
      .insertInto("identity")
      .values({ id: 1, prefix: randomBytes(9).toString("hex") })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    return new BookIds((await database.selectFrom("identity").select("prefix").executeTakeFirstOrThrow()).prefix);
  }

  of(issueId: number): string {
    const [first, second, third, fourth] = [
      this.prefix.slice(0, 8),
      this.prefix.slice(8, 12),
      this.prefix.slice(12, 15),
      this.prefix.slice(15, 18),
    ];
    return `${first}-${second}-4${third}-8${fourth}-${issueId.toString(16).padStart(12, "0")}`;
  }

  /** The issue of a book's id; undefined for ids that this server did not give. */
  issueOf(id: string): number | undefined {
    const issueId = Number.parseInt(id.slice(-12), 16);
    return issueId > 0 && this.of(issueId) === id.toLowerCase() ? issueId : undefined;
  }
}
