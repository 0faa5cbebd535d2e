// Fills a collection's database directly: no scan could make so many series in the time of a benchmark.
import { DatabaseSync } from "node:sqlite";

const adjectives = [
  "Amber",
  "Brazen",
  "Crimson",
  "Dusty",
  "Electric",
  "Feral",
  "Golden",
  "Hidden",
  "Iron",
  "Jade",
  "Keen",
  "Lunar",
  "Mystic",
  "Northern",
  "Obsidian",
  "Pale",
  "Quiet",
  "Restless",
  "Silver",
  "Thunder",
];
const nouns = [
  "Moth",
  "Lantern",
  "Harbour",
  "Patrol",
  "Engine",
  "Orchard",
  "Saga",
  "Knight",
  "Circuit",
  "River",
  "Signal",
  "Garden",
  "Tower",
  "Comet",
  "Raven",
  "Mirror",
  "Frontier",
  "Legion",
  "Tide",
  "Ember",
];
const list = (words: readonly string[]) => JSON.stringify(words);

/**
 * Series, about `issuesPerSeries` issues each, seven of ten owned with a file. Counters and the search index are right.
 */
export function seedCollection(path: string, seriesCount: number, issueCount: number): void {
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -200000; begin",
  );
  database
    .prepare(
      "insert into library (id, name, type, root_folder, created_at) values (1, 'Comics', 'comic', '/nowhere', '2026-01-01')",
    )
    .run();
  const title =
    "json_extract(:adjectives, '$[' || (id % 20) || ']') || ' ' || json_extract(:nouns, '$[' || (id / 20 % 20) || ']') || ' ' || id";
  database
    .prepare(`with recursive n (id) as (select 1 union all select id + 1 from n where id < :series)
    insert into series (id, cv_id, title, title_key, title_order, publisher, year, type, library_id, origin, monitor, status, added_at)
    select id, case when id % 5 then id end, ${title}, lower(${title}), lower(${title}), 'Publisher ' || (id % 200), 1950 + id % 75, case when id % 9 then 'comic' else 'manga' end, 1, 'scan',
      case id % 3 when 0 then 'all' else 'none' end, case id % 4 when 0 then 'ongoing' else 'ended' end, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + id * 60, 'unixepoch') from n`)
    .run({ series: seriesCount, adjectives: list(adjectives), nouns: list(nouns) });
  database
    .prepare(`with recursive n (id) as (select 1 union all select id + 1 from n where id < :issues)
    insert into issue (id, series_id, cv_issue_id, number, sort_key, value, kind, cover_date, listed, owned, pages, added_at, owned_at)
    select id, 1 + id % :series, id, 1 + id / :series, '0b' || printf('%02d', length(1 + id / :series)) || (1 + id / :series), 1 + id / :series, 'issue', (1950 + id % 75) || '-01-01', 1,
      id % 10 < 7, 24, '2026-01-01', case when id % 10 < 7 then strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + id, 'unixepoch') end from n`)
    // A number would be bound as a real one, and dividing by it would make numbers such as 3.25 of issues.
    .run({ issues: issueCount, series: BigInt(seriesCount) });
  database.exec(`
    insert into file (id, path, name, library_id, series_id, issue_id, size, modified_at, pages, valid, tagged, read_number, read_kind, added_at)
      select id, '/nowhere/' || series_id || '/' || id || '.cbz', id || '.cbz', 1, series_id, id, 30000000, '2026-01-01', 24, 1, id % 3 > 0, number, 'issue', '2026-01-01' from issue where owned = 1;
    update issue set wanted = 1 where owned = 0 and series_id in (select id from series where monitor = 'all');
    create temporary table sums as select series_id, count(*) total, sum(owned) owned, sum(wanted) wanted, max(cover_date) latest, min(case when owned then id end) cover from issue group by series_id;
    create unique index temp.sums_by_series on sums (series_id);
    update series set total = s.total, owned = s.owned, missing = s.total - s.owned, wanted = s.wanted, latest = s.latest, files = s.owned, size = s.owned * 30000000, cover_issue_id = s.cover
      from sums s where s.series_id = series.id;
    update series set class = (missing > 0) + 2 * (missing = 0 and total > 0) + 4 * (monitor <> 'none') + 8 * (status = 'ongoing') + 16 * (status = 'ended') + 64 * (cv_id is null);
    insert into fulltext_series (rowid, title, aliases, publisher, creators) select id, title, '', publisher, 'Writer ' || (id % 3000) || ' Artist ' || (id % 5000) from series;
    update identity set next = 100000000;
    commit; pragma synchronous = full; analyze; pragma wal_checkpoint(truncate)`);
  database.close();
}
