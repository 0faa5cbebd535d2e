import type { Generated } from "kysely";

/** Issues are named by the collection's own ids. */
export interface AudiobookTables {
  bookmark: {
    id: Generated<number>;
    user_id: number;
    issue_id: number;
    /** Seconds from the beginning. */
    position: number;
    note: string;
    /** Milliseconds since 1970 in UTC. */
    created_at: number;
  };
}
