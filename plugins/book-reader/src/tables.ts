export interface BookReaderTables {
  /** One row for each user who changed something. */
  preference: { user_id: number; layout: string };
}
