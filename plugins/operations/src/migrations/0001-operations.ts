import { sqlMigration } from "@longbox/sdk";

export const operationsTables = sqlMigration("0001-operations", [
  `create table job (
    id integer primary key autoincrement,
    kind text not null, key text, title text not null,
    state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    done integer not null default 0, total integer not null default 0,
    message text, error text, input text, checkpoint text,
    queued_at text not null, started_at text, ended_at text
  ) strict`,
  `create index job_state on job (state, id)`,
  `create table schedule (
    key text primary key,
    cron text, enabled integer,
    last_run_at text, last_state text, last_error text
  ) strict`,
]);
