import { sqlMigration } from "@longbox/sdk";

/** Libraries, series, issues and files. Counters of a series are kept by every write, so that lists never add up issues. */
export const collectionMigration = sqlMigration("0001-collection", [
  `create table identity (name text primary key, next integer not null)`,
  `insert into identity (name, next) values ('library', 1), ('series', 1), ('issue', 1), ('file', 1)`,

  `create table library (
    id integer primary key, name text not null, type text not null, root_folder text not null unique,
    folder_pattern text not null default '', restricted integer not null default 0, sort_order integer not null default 0,
    tag_placement text not null default 'embed', created_at text not null)`,

  `create table series (
    id integer primary key, cv_id integer unique, title text not null, title_key text not null, publisher text, year integer,
    description text, url text, aliases text not null default '[]', type text not null,
    library_id integer references library (id) on delete set null,
    state text not null default 'tracked', origin text not null, pointed_by_hand integer not null default 0,
    restricted integer not null default 0, hidden integer not null default 0,
    monitor text not null default 'none', monitor_from integer, status text not null default 'unknown',
    path text, pinned integer not null default 0, added_at text not null, refreshed_at text,
    cover_issue_id integer, latest text,
    total integer not null default 0, owned integer not null default 0, missing integer not null default 0,
    wanted integer not null default 0, untagged integer not null default 0, corrupt integer not null default 0,
    unlinked integer not null default 0, collected integer not null default 0,
    files integer not null default 0, size integer not null default 0,
    class integer not null default 0)`,
  `create index series_by_title on series (state, title_key, id)`,
  `create index series_by_added on series (state, added_at, id)`,
  `create index series_by_missing on series (state, missing desc, title_key, id)`,
  `create index series_by_year on series (state, year, title_key, id)`,
  `create index series_by_year_down on series (state, year desc, title_key, id)`,
  `create index series_by_latest on series (state, latest desc, title_key, id)`,
  `create index series_by_library on series (library_id)`,
  `create index series_by_key on series (title_key)`,
  `create index series_for_counts on series (state, type, class, hidden, library_id, owned, wanted, missing)`,

  `create table series_source (
    folder text not null, name_key text not null, series_id integer not null references series (id) on delete cascade,
    primary key (folder, name_key))`,
  `create index series_source_by_series on series_source (series_id)`,
  `create table series_creator (
    series_id integer not null references series (id) on delete cascade, name text not null, primary key (series_id, name))`,
  `create table series_merge (from_id integer primary key, to_id integer not null)`,

  `create table issue (
    id integer primary key, series_id integer not null references series (id) on delete cascade, cv_issue_id integer unique,
    number text not null, sort_key text not null, value real, kind text not null,
    title text, cover_date text, store_date text, present integer not null default 1, listed integer not null default 0,
    described integer not null default 0, owned integer not null default 0, corrupt integer not null default 0,
    tagged integer not null default 0, pages integer not null default 0,
    pick integer, pick_why text, pick_reason text, wanted integer not null default 0,
    seconds real, language text, added_at text not null, owned_at text)`,
  `create index issue_by_series on issue (series_id, present, sort_key)`,
  `create index issue_by_number on issue (sort_key, series_id)`,
  `create index issue_missing_by_date on issue (coalesce(store_date, cover_date)) where owned = 0 and present = 1`,
  `create index issue_by_owned on issue (owned_at, id) where owned = 1`,
  `create table issue_detail (
    issue_id integer primary key references issue (id) on delete cascade, description text, credits text not null default '[]',
    characters text not null default '[]', teams text not null default '[]', locations text not null default '[]',
    arcs text not null default '[]', subjects text not null default '[]', url text)`,
  `create table issue_merge (from_id integer primary key, to_id integer not null)`,
  `create index issue_merge_by_target on issue_merge (to_id)`,

  `create table file (
    id integer primary key, path text not null unique, name text not null, library_id integer, series_id integer not null references series (id),
    issue_id integer not null references issue (id), size integer not null, modified_at text not null, pages integer not null,
    format text, seconds real, valid integer not null, tagged integer not null, error text, assigned integer not null default 0,
    read_number text not null, read_kind text not null, read_cv_issue_id integer, added_at text not null)`,
  `create index file_by_issue on file (issue_id)`,
  `create index file_by_series on file (series_id)`,

  `create table assignment (
    path text primary key, series_id integer not null references series (id) on delete cascade,
    issue_id integer not null references issue (id) on delete cascade)`,
  `create index assignment_by_issue on assignment (issue_id)`,
  `create index assignment_by_series on assignment (series_id)`,

  `create table external_id (
    subject text not null, subject_id integer not null, scheme text not null, value text not null,
    primary key (subject, subject_id, scheme, value))`,
  `create index external_id_by_value on external_id (subject, scheme, value)`,
  `create table work_issue (issue_id integer primary key references issue (id) on delete cascade, work_id integer not null)`,
  `create index work_issue_by_work on work_issue (work_id)`,
  `create table work_refusal (
    issue_id integer not null references issue (id) on delete cascade, other_id integer not null,
    primary key (issue_id, other_id))`,

  `create table follow (
    user_id integer not null, series_id integer not null references series (id) on delete cascade, followed_at text not null,
    primary key (user_id, series_id))`,
  `create index follow_by_series on follow (series_id)`,
]);
