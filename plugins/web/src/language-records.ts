import type { Kysely } from "kysely";
import { z } from "zod";

export interface LanguageTables {
  language: { user_id: number; tag: string };
}

export const languageTagSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/, "must be a language tag such as de")
  .max(35);

/** The language that a user chose for the web interface; null when it is that of the browser. */
export const chosenLanguageSchema = z.object({ language: languageTagSchema.nullable() });
export type ChosenLanguage = z.output<typeof chosenLanguageSchema>;

/** Which language each user chose. */
export class LanguageRecords {
  constructor(private readonly database: Kysely<LanguageTables>) {}

  async find(userId: number): Promise<ChosenLanguage> {
    const row = await this.database
      .selectFrom("language")
      .select("tag")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return { language: row?.tag ?? null };
  }

  async list(): Promise<ReadonlyArray<{ readonly userId: number; readonly language: string }>> {
    const rows = await this.database.selectFrom("language").selectAll().execute();
    return rows.map((row) => ({ userId: row.user_id, language: row.tag }));
  }

  async put(userId: number, { language }: ChosenLanguage): Promise<ChosenLanguage> {
    if (language === null) await this.forgetUser(userId);
    else
      await this.database
        .insertInto("language")
        .values({ user_id: userId, tag: language })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ tag: language }))
        .execute();
    return { language };
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("language").where("user_id", "=", userId).execute();
  }

  /** The first account takes over what the local admin chose. */
  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    const own = await this.find(from);
    if (own.language !== null) await this.put(to, own);
    await this.forgetUser(from);
  }
}
