import { sqlMigration } from "@longbox/sdk";

export const listsMigration = sqlMigration("0001-lists", [
  `create table list (
    id integer primary key autoincrement, user_id integer not null, name text not null, public integer not null default 0,
    arc_id integer, created_at text not null
  )`,
  `create index list_by_user on list (user_id, id)`,
  `create index list_by_public on list (public, id)`,
  `create table item (
    id integer primary key autoincrement, list_id integer not null references list (id) on delete cascade, position integer not null,
    cv_issue_id integer not null, volume_id integer, series text, number text, volume text, year text, title text, cover_date text,
    described integer not null default 0
  )`,
  `create index item_by_position on item (list_id, position)`,
  `create index item_by_issue on item (cv_issue_id)`,
  `create index item_undescribed on item (cv_issue_id) where described = 0`,
  `create table unmatched (
    id integer primary key autoincrement, list_id integer not null references list (id) on delete cascade, position integer not null,
    series text not null, number text not null, volume text not null, year text not null, reason text not null, waiting integer not null
  )`,
  `create index unmatched_by_position on unmatched (list_id, position)`,
]);
