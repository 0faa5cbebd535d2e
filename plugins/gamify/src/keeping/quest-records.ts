import { subjectSchema, type Offer, type Quest } from "../quests/quest.js";
import type { GamifyDatabase, QuestTable } from "../tables.js";

type QuestRow = Omit<QuestTable, "id"> & { id: number };

/** An offer becomes a quest. */
export interface Drawing {
  readonly userId: number;
  readonly monday: string;
  readonly at: number;
  readonly base: number;
}

/** The quests that were drawn, and the freezes that were bought with their tokens. */
export class QuestRecords {
  constructor(private readonly database: GamifyDatabase) {}

  /** All quests of a user, of every week, oldest first. */
  async listAll(userId: number): Promise<Quest[]> {
    const rows = await this.database
      .selectFrom("quest")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("monday")
      .orderBy("id")
      .execute();
    return rows.map(toQuest);
  }

  async draw(drawings: ReadonlyArray<Drawing & { readonly offer: Offer }>): Promise<void> {
    if (drawings.length === 0) return;
    await this.database.insertInto("quest").values(drawings.map(toRow)).execute();
  }

  /** Replaces a quest by another one, both or neither. */
  async replace(id: number, state: "rerolled" | "withdrawn", drawing?: Drawing & { readonly offer: Offer }) {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.updateTable("quest").set({ state }).where("id", "=", id).execute();
      if (drawing) await transaction.insertInto("quest").values(toRow(drawing)).execute();
    });
  }

  /** Works were merged: quests since a Monday name the one that stays. */
  async follow({ from, to }: { from: number; to: number }, monday: string): Promise<void> {
    const rows = await this.database.selectFrom("quest").selectAll().where("monday", ">=", monday).execute();
    for (const { id, subject } of rows.map(toQuest)) {
      if (!("issueIds" in subject) || !subject.issueIds.includes(from)) continue;
      const issueIds = [...new Set(subject.issueIds.map((issueId) => (issueId === from ? to : issueId)))];
      const text = JSON.stringify({ ...subject, issueIds });
      await this.database.updateTable("quest").set({ subject: text }).where("id", "=", id).execute();
    }
  }

  async freezesOf(userId: number): Promise<Array<{ readonly at: number; readonly cost: number }>> {
    const rows = await this.database
      .selectFrom("freeze")
      .select(["bought_at", "cost"])
      .where("user_id", "=", userId)
      .orderBy("bought_at")
      .execute();
    return rows.map(({ bought_at, cost }) => ({ at: bought_at, cost }));
  }

  async buyFreeze(userId: number, { at, cost }: { at: number; cost: number }): Promise<void> {
    await this.database.insertInto("freeze").values({ user_id: userId, bought_at: at, cost }).execute();
  }
}

function toQuest(row: QuestRow): Quest {
  return {
    id: row.id,
    monday: row.monday,
    drawnAt: row.drawn_at,
    subject: subjectSchema.parse(JSON.parse(row.subject)),
    target: row.target,
    reward: row.reward,
    base: row.base,
    state: row.state === "rerolled" || row.state === "withdrawn" ? row.state : "drawn",
  };
}

function toRow({ userId, monday, at, base, offer }: Drawing & { readonly offer: Offer }): Omit<QuestTable, "id"> {
  const { subject, target, reward } = offer;
  return {
    user_id: userId,
    monday,
    drawn_at: at,
    kind: subject.kind,
    subject: JSON.stringify(subject),
    target,
    reward,
    base,
    state: "drawn",
  };
}
