import type { Generated } from "kysely";

export interface JobTable {
  id: Generated<number>;
  kind: string;
  key: string | null;
  title: string;
  state: string;
  done: number;
  total: number;
  message: string | null;
  error: string | null;
  error_code: string | null;
  error_details: string | null;
  input: string | null;
  checkpoint: string | null;
  /** How often the server ended without stopping while the job ran, since the last checkpoint. */
  kills: Generated<number>;
  queued_at: string;
  started_at: string | null;
  ended_at: string | null;
}

export interface ScheduleTable {
  key: string;
  cron: string | null;
  enabled: 0 | 1 | null;
  last_run_at: string | null;
  last_state: string | null;
  last_error: string | null;
  seen_at: string | null;
}

export interface OperationsTables {
  job: JobTable;
  schedule: ScheduleTable;
}
