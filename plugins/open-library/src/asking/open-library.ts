import { z } from "zod";
import { authorSchema, editionSchema, fateOf, toWork, workSchema, type Fated } from "../reading/record-shapes.js";
import { isbn13 } from "../reading/isbns.js";
import { keyOf, searchFields, searchSchema, toFoundWorks } from "../reading/search-shapes.js";
import { lineOf } from "../reading/texts.js";
import type { FoundWork, FullWork } from "../works.js";
import type { AskOptions, LibraryClient } from "./library-client.js";

/** How often a record may lead to another. */
const mostHops = 3;
/** ISBNs in one question. */
const isbnsAtOnce = 20;
const mostFound = 20;
/** Open Library refuses shorter searches. */
const fewestLetters = 3;

/** Open Library's catalog: works, by words, by ISBN and by id. */
export class OpenLibrary {
  constructor(private readonly client: LibraryClient) {}

  /** What a user looks for: words, an ISBN, or the id or the address of a work. */
  async search(text: string, options: AskOptions): Promise<readonly FoundWork[]> {
    const id = readWorkId(text);
    if (id !== undefined) {
      const work = await this.findWork(id, options);
      return work ? [asFound(work)] : [];
    }
    const isbn = isbn13(text);
    return isbn === undefined ? this.#ask({ q: words(text) }, options) : this.findByIsbns([isbn], options);
  }

  /** Works of this title, the best first. */
  searchTitle(title: string, author: string | undefined, options: AskOptions): Promise<readonly FoundWork[]> {
    return this.#ask({ title: words(title), ...(author !== undefined && { author: words(author) }) }, options);
  }

  /** Works of which an edition has one of these ISBNs of 13 digits. */
  async findByIsbns(isbns: readonly string[], options: AskOptions): Promise<readonly FoundWork[]> {
    const found: FoundWork[] = [];
    for (let start = 0; start < isbns.length; start += isbnsAtOnce) {
      const some = isbns.slice(start, start + isbnsAtOnce);
      found.push(...(await this.#ask({ q: `isbn:(${some.join(" OR ")})`, limit: "100" }, options)));
    }
    return found;
  }

  /** @param id - Of a work or of one of its editions. Undefined for what is not there, or was deleted. */
  async findWork(id: string, options: AskOptions): Promise<FullWork | undefined> {
    const found = id.endsWith("M")
      ? await this.#workOfEdition(id, options)
      : await this.#follow(`/works/${id}`, workSchema, options);
    const workId = found && keyOf(found.key, "works", "W");
    if (!found || workId === undefined) return undefined;
    const { title, authorIds, ...work } = toWork(found.record);
    if (title === undefined) return undefined;
    const authors: string[] = [];
    for (const authorId of authorIds) authors.push(...(await this.#nameOf(authorId, options)));
    return { ...work, id: workId, formerIds: found.former, title, authors, series: [] };
  }

  /** Proves that Open Library answers. @throws {OpenLibraryFailure} @throws {OpenLibraryRefused} */
  async test(): Promise<void> {
    await this.client.ask("search.json?q=test&fields=key&limit=1", z.object({ docs: z.array(z.unknown()) }), {
      urgency: "person",
      fresh: true,
    });
  }

  async #workOfEdition(id: string, options: AskOptions) {
    const edition = await this.#follow(`/books/${id}`, editionSchema, options);
    const workKey = edition?.record.works.find((work) => work !== undefined)?.key;
    if (workKey === undefined || keyOf(workKey, "works", "W") === undefined) return undefined;
    return await this.#follow(workKey, workSchema, options);
  }

  async #nameOf(authorId: string, options: AskOptions): Promise<string[]> {
    const author = await this.#follow(`/authors/${authorId}`, authorSchema, options);
    const name = lineOf(author?.record.name);
    return name === undefined ? [] : [name];
  }

  /** A record by its key, or the one that it became. */
  async #follow<R extends Fated>(
    key: string,
    schema: z.ZodType<R>,
    options: AskOptions,
  ): Promise<{ key: string; record: R; former: string[] } | undefined> {
    const former: string[] = [];
    for (let at = key; former.length <= mostHops;) {
      const record = await this.client.ask(`${at.slice(1)}.json`, schema, options);
      const fate = record && fateOf(record);
      if (!record || fate === "gone") return undefined;
      if (!fate) return { key: at, record, former };
      const kind = key.split("/")[1];
      if (!new RegExp(`^/${kind}/OL[1-9]\\d{0,14}[WMA]$`).test(fate.to)) return undefined;
      former.push(at.split("/")[2] ?? "");
      at = fate.to;
    }
    return undefined;
  }

  async #ask(query: Readonly<Record<string, string>>, options: AskOptions): Promise<readonly FoundWork[]> {
    const asked = query["q"] ?? query["title"] ?? "";
    if (asked.length < fewestLetters) return [];
    const parameters = new URLSearchParams({ limit: String(mostFound), ...query, fields: searchFields });
    const answer = await this.client.ask(`search.json?${parameters}`, searchSchema, options);
    return answer ? toFoundWorks(answer) : [];
  }
}

/** The id of a work or an edition, also within an address. */
export function readWorkId(written: string): string | undefined {
  return /(?:^|\/)(OL[1-9]\d{0,14}[WM])(?=$|[/?#.])/i.exec(written.trim())?.[1]?.toUpperCase();
}

/** Words without the signs and operators of the search's own language. */
function words(text: string): string {
  return text
    .slice(0, 300)
    .replaceAll(/[^\p{L}\p{N}\p{M}'’]+/gu, " ")
    .replaceAll(/\b(?:AND|OR|NOT|TO)\b/g, (operator) => operator.toLowerCase())
    .trim();
}

function asFound({ id, title, authors, year, coverId, series }: FullWork): FoundWork {
  const unknown = { languages: [], isbns: [], publishers: [], subtitle: undefined, edition: undefined };
  return { ...unknown, id, title, authors, year, coverId, series };
}
