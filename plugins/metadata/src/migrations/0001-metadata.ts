import { sqlMigration } from "@longbox/sdk";

/** Answers of the provider, and where it keeps the images that they name. */
export const metadataMigration = sqlMigration("0001-metadata", [
  `create table answer (key text primary key, body text not null, fetched_at integer not null)`,
  `create index answer_by_age on answer (fetched_at)`,
  `create table image (kind text not null, provider_id integer not null, url text not null, primary key (kind, provider_id))`,
  `create table candidate (series_id integer primary key, looked_at text not null, best text not null)`,
]);
