// What tags say of the issues that `seedCollection` made, and the same as tables that SQLite can count with indexes.
import { DatabaseSync } from "node:sqlite";

/** How many of each there are. */
export const kinds = { writers: 20_000, artists: 30_000, characters: 50_000, teams: 3_000, arcs: 40_000, genres: 60 };

const { writers, artists, characters, teams, arcs, genres } = kinds;
const name = (label: string, expression: string) => `'"${label} ' || (${expression}) || '"'`;
const list = (...items: string[]) => `'[' || ${items.join(" || ',' || ")} || ']'`;
const person = (label: string, role: string, expression: string) =>
  `'{"name":"${label} ' || (${expression}) || '","role":"${role}"}'`;

/** Two writers, three artists, four characters, a team, two genres, and for every third issue an arc. */
export function seedDetails(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`pragma synchronous = off; begin;
    insert into issue_detail (issue_id, credits, characters, teams, locations, arcs, subjects)
      select id,
        ${list(
          person("Writer", "writer", `id % ${writers}`),
          person("Writer", "writer", `id * 7 % ${writers}`),
          person("Artist", "penciller", `id % ${artists}`),
          person("Artist", "inker", `id * 3 % ${artists}`),
          person("Artist", "colorist", `id * 11 % ${artists}`),
        )},
        ${list(...[1, 13, 101, 1009].map((factor) => name("Character", `id * ${factor} % ${characters}`)))},
        ${list(name("Team", `id % ${teams}`))}, '[]',
        case when id % 3 = 0 then ${list(name("Arc", `id % ${arcs}`))} else '[]' end,
        ${list(name("Genre", `id % ${genres}`), name("Genre", `id * 7 % ${genres}`))}
      from issue;
    update file set format = case when id % 4 = 0 then 'cbr' else 'cbz' end;
    commit; pragma synchronous = full; analyze; pragma wal_checkpoint(truncate)`);
}

/** The same as flat tables: what "counts with indexes" means to SQLite. */
export function flatten(collection: string, path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`pragma synchronous = off; attach '${collection}' as c; begin;
    create table item (id integer primary key, title text, sort_key text, publisher text);
    insert into item select issue.id, series.title_key, issue.sort_key, series.publisher
      from c.issue join c.series on series.id = issue.series_id;
    create table author (name text, item integer);
    insert into author select distinct 'Writer ' || value, id from
      (select id, id % ${writers} as value from item union all select id, id * 7 % ${writers} from item);
    create table genre (name text, item integer);
    insert into genre select distinct 'Genre ' || value, id from
      (select id, id % ${genres} as value from item union all select id, id * 7 % ${genres} from item);
    create index item_by_title on item (title, sort_key, id);
    create index item_by_publisher on item (publisher, id);
    create index author_by_name on author (name, item);
    create index author_by_item on author (item, name);
    create index genre_by_name on genre (name, item);
    create index genre_by_item on genre (item, name);
    commit; analyze`);
}
