import type { Generated } from "kysely";

/** Times are milliseconds since 1970 in UTC, switches are 0 or 1. */
export interface NotificationTables {
  notice: NoticeTable;
  notice_series: NoticeSeriesTable;
  address: AddressTable;
  code: CodeTable;
  delivery: DeliveryTable;
  preference: PreferenceTable;
  arrival: ArrivalTable;
}

/** One row for each user who was told. */
export interface NoticeTable {
  id: Generated<number>;
  user_id: number;
  at: number;
  category: string;
  level: string;
  title: string;
  body: string;
  /** JSON: titles and bodies by language, by {@link noticeTextsSchema}; null where both are the same in all. */
  texts: string | null;
  url: string | null;
  join_key: string | null;
  /** The series it names are restricted, or one of them is. */
  restricted: 0 | 1;
  read: 0 | 1;
  /** 0 for what a user wants at addresses alone. */
  shown: 0 | 1;
}

export interface NoticeSeriesTable {
  notice_id: number;
  series_id: number;
}

/** Where a user can be reached. */
export interface AddressTable {
  id: Generated<number>;
  user_id: number;
  channel: string;
  name: string;
  /** JSON: what the user entered, by the names of the channel's fields. */
  fields: string;
  enabled: 0 | 1;
  /** 0 until its owner has entered the code that was sent there. */
  verified: 0 | 1;
  /** Why it was disabled automatically. */
  trouble: string | null;
  /** Messages in a row that were given up. */
  failures: number;
  /** JSON: the last answers, newest first. */
  answers: string;
  created_at: number;
}

/** The code that was sent to an address to be verified. */
export interface CodeTable {
  address_id: number;
  hash: string;
  made_at: number;
  /** Wrong codes that were entered. */
  tries: number;
}

/** A message on its way to an address. */
export interface DeliveryTable {
  id: Generated<number>;
  notice_id: number;
  address_id: number;
  due_at: number;
  attempts: number;
}

/** JSON: the preferences of a user, by {@link preferencesSchema}. */
export interface PreferenceTable {
  user_id: number;
  preferences: string;
}

/** Issues that were added to the library and not announced yet. */
export interface ArrivalTable {
  issue_id: number;
  at: number;
}
