import type { RepeatedPagesDatabase } from "./tables.js";

const hashesAtOnce = 5000;

/** Every hash once, in order. */
export async function* eachHash(database: RepeatedPagesDatabase): AsyncGenerator<string> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const rows: Array<{ readonly hash: string }> = await database
      .selectFrom("page_hash")
      .select("hash")
      .distinct()
      .where("hash", ">", after)
      .orderBy("hash")
      .limit(hashesAtOnce)
      .execute();
    for (const { hash } of rows) yield hash;
    after = rows.length < hashesAtOnce ? undefined : rows.at(-1)!.hash;
  }
}
