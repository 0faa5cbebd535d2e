import { sqlMigration } from "@longbox/sdk";

/** When a schedule was first known: what was due since then and never ran was missed too. */
export const scheduleSeen = sqlMigration("0002-schedule-seen", ["alter table schedule add column seen_at text"]);
