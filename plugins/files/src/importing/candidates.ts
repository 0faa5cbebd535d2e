import { isAmong, NotFound } from "@longbox/sdk";
import type { FilesDatabase, ImportCandidateTable } from "../tables.js";
import {
  candidateSchema,
  type Candidate,
  type CandidateMatch,
  type CandidateStatus,
  type Confidence,
  type FoundGroup,
} from "./candidate.js";

export interface Judgement {
  readonly confidence: Confidence;
  readonly match: CandidateMatch | undefined;
  readonly reasons: readonly string[];
}

/** The candidates of the import folder. */
export class Candidates {
  constructor(private readonly database: FilesDatabase) {}

  async list(): Promise<Candidate[]> {
    return (await this.database.selectFrom("import_candidate").selectAll().orderBy("name").orderBy("id").execute()).map(
      toCandidate,
    );
  }

  /** @throws {NotFound} `files/no-such-candidate` */
  async get(id: number): Promise<Candidate> {
    const row = await this.database.selectFrom("import_candidate").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) throw new NotFound("files/no-such-candidate", `There is no import candidate ${id}.`);
    return toCandidate(row);
  }

  /**
   * Remembers what a look into a folder and those below it found. A person's choices stay; what is no longer there
   * goes, and so does what `importFolder`, which may have become another, does not hold. Nothing is said about other
   * folders.
   */
  async remember(
    found: ReadonlyArray<{ group: FoundGroup; judgement: Judgement }>,
    looked: { folder: string; importFolder: string },
  ): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const all = await transaction.selectFrom("import_candidate").selectAll().execute();
      // Files that another plugin handed over wait for a user, wherever they are.
      const handedOver = new Set(all.flatMap((row) => (row.is_handed_over === 1 ? [keyOf(row)] : [])));
      const before = all.filter((row) => row.is_handed_over === 0);
      const kept = new Set<number>();
      for (const { group, judgement } of found) {
        if (handedOver.has(keyOf(group))) continue;
        const known = before.find((row) => row.folder === group.folder && row.name === group.name);
        const values = rowOf(group, judgement, known);
        if (known) {
          kept.add(known.id);
          await transaction.updateTable("import_candidate").set(values).where("id", "=", known.id).execute();
        } else await transaction.insertInto("import_candidate").values(values).execute();
      }
      const couldStay = (row: { folder: string }) =>
        isWithin(row.folder, looked.importFolder) && !isWithin(row.folder, looked.folder);
      const gone = before
        .filter((row) => !kept.has(row.id) && row.status !== "imported" && !couldStay(row))
        .map((row) => row.id);
      if (gone.length > 0) await transaction.deleteFrom("import_candidate").where(isAmong("id", gone)).execute();
    });
  }

  /** Files that another plugin could not place: a person decides, however certain the match looks. @returns the id */
  async handOver(group: FoundGroup, judgement: Judgement): Promise<number> {
    const values = { ...rowOf(group, judgement, undefined), status: "review", is_handed_over: 1 as const };
    const { id } = await this.database
      .insertInto("import_candidate")
      .values(values)
      .onConflict((conflict) => conflict.columns(["folder", "name"]).doUpdateSet(values))
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async choose(id: number, match: CandidateMatch): Promise<void> {
    await this.#update(id, {
      matched_to: JSON.stringify(match),
      chosen: 1,
      confidence: "high",
      reasons: JSON.stringify(["A person chose it."]),
      status: "ready",
    });
  }

  async setStatus(id: number, status: CandidateStatus): Promise<void> {
    await this.#update(id, { status });
  }

  async #update(id: number, values: Partial<Omit<ImportCandidateTable, "id" | "is_handed_over">>): Promise<void> {
    await this.database.updateTable("import_candidate").set(values).where("id", "=", id).execute();
  }
}

function keyOf({ folder, name }: { folder: string; name: string }): string {
  return `${folder}\n${name}`;
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(`${outer}/`);
}

function rowOf(
  group: FoundGroup,
  judgement: Judgement,
  known: { chosen: 0 | 1; matched_to: string | null; confidence: string; reasons: string; status: string } | undefined,
): Omit<ImportCandidateTable, "id" | "is_handed_over"> {
  const judged = {
    confidence: judgement.confidence,
    matched_to: judgement.match ? JSON.stringify(judgement.match) : null,
    reasons: JSON.stringify(judgement.reasons),
    chosen: 0 as const,
    status: judgement.confidence === "high" ? "ready" : "review",
  };
  const decided = known && known.status !== "imported" && (known.chosen === 1 || known.status === "skipped");
  const kept = decided
    ? {
        confidence: known.confidence,
        matched_to: known.matched_to,
        reasons: known.reasons,
        chosen: known.chosen,
        status: known.status,
      }
    : judged;
  return {
    folder: group.folder,
    name: group.name,
    year: group.year ?? null,
    publisher: group.publisher ?? null,
    files: JSON.stringify(group.files),
    found_at: new Date().toISOString(),
    ...kept,
  };
}

function toCandidate(row: Omit<ImportCandidateTable, "id" | "is_handed_over"> & { id: number }): Candidate {
  return candidateSchema.parse({
    id: row.id,
    folder: row.folder,
    name: row.name,
    year: row.year,
    publisher: row.publisher,
    files: JSON.parse(row.files),
    confidence: row.confidence,
    status: row.status,
    ...(row.matched_to !== null && { match: JSON.parse(row.matched_to) }),
    reasons: JSON.parse(row.reasons),
  });
}
