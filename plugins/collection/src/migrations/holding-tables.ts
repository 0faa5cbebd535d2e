import type { MigrationStep } from "@longbox/sdk";
import type { CreateTableBuilder } from "kysely";

/** Files that hold issues, and which issue a person said that a file is. */
export async function makeFiles(step: MigrationStep): Promise<void> {
  const { schema, types } = step;
  const table = schema.createTable("file").addColumn("id", types.id, (column) => column.primaryKey());
  await fileColumns(table as CreateTableBuilder<string>, types).execute();
  await schema.createIndex("file_by_issue").on("file").column("issue_id").execute();
  await schema.createIndex("file_by_series").on("file").column("series_id").execute();
  await schema
    .createTable("assignment")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addColumn("issue_id", types.id, (column) => column.notNull().references("issue.id").onDelete("cascade"))
    .execute();
  await schema.createIndex("assignment_by_issue").on("assignment").column("issue_id").execute();
  await schema.createIndex("assignment_by_series").on("assignment").column("series_id").execute();
}

function fileColumns(table: CreateTableBuilder<string>, types: MigrationStep["types"]): CreateTableBuilder<string> {
  return table
    .addColumn("path", types.text, (column) => column.notNull().unique())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("library_id", types.id)
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id"))
    .addColumn("issue_id", types.id, (column) => column.notNull().references("issue.id"))
    .addColumn("size", types.count, (column) => column.notNull())
    .addColumn("modified_at", types.text, (column) => column.notNull())
    .addColumn("pages", types.count, (column) => column.notNull())
    .addColumn("format", types.text)
    .addColumn("seconds", types.real)
    .addColumn("valid", types.flag, (column) => column.notNull())
    .addColumn("tagged", types.flag, (column) => column.notNull())
    .addColumn("error", types.text)
    .addColumn("assigned", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("read_number", types.text, (column) => column.notNull())
    .addColumn("read_kind", types.text, (column) => column.notNull())
    .addColumn("read_cv_issue_id", types.id)
    .addColumn("added_at", types.text, (column) => column.notNull());
}

export async function makeExternalIds({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("external_id")
    .addColumn("subject", types.text, (column) => column.notNull())
    .addColumn("subject_id", types.id, (column) => column.notNull())
    .addColumn("scheme", types.text, (column) => column.notNull())
    .addColumn("value", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("external_id_key", ["subject", "subject_id", "scheme", "value"])
    .execute();
  await schema.createIndex("external_id_by_value").on("external_id").columns(["subject", "scheme", "value"]).execute();
}

/** Which issues are one work, and which a person said are not. */
export async function makeWorks({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("work_issue")
    .addColumn("issue_id", types.id, (column) => column.primaryKey().references("issue.id").onDelete("cascade"))
    .addColumn("work_id", types.id, (column) => column.notNull())
    .execute();
  await schema.createIndex("work_issue_by_work").on("work_issue").column("work_id").execute();
  await schema
    .createTable("work_refusal")
    .addColumn("issue_id", types.id, (column) => column.notNull().references("issue.id").onDelete("cascade"))
    .addColumn("other_id", types.id, (column) => column.notNull().references("issue.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("work_refusal_key", ["issue_id", "other_id"])
    .execute();
}

export async function makeFollowing({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("follow")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addColumn("followed_at", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("follow_key", ["user_id", "series_id"])
    .execute();
  await schema.createIndex("follow_by_series").on("follow").column("series_id").execute();
}
