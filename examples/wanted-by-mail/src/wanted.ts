import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { Conflict, foldWords, NotFound, type Viewer } from "@longbox/sdk";

const atOnce = 1000;

/** What is wanted, part by part, so that no list is too long to be gone through. */
export async function* wantedIssues(library: CollectionContract, viewer: Viewer): AsyncGenerator<Issue> {
  for (let afterId = 0; ;) {
    const part = await library.listWanted({ afterId, limit: atOnce }, viewer);
    for (const { issue } of part) yield issue;
    if (part.length < atOnce) return;
    afterId = part.at(-1)!.issue.id;
  }
}

/**
 * The wanted issue that a file's name means.
 * @throws {NotFound} `wanted-by-mail/not-wanted`
 * @throws {Conflict} `wanted-by-mail/ambiguous`
 */
export async function wantedByName(library: CollectionContract, fileName: string, viewer: Viewer): Promise<Issue> {
  const words = foldWords(fileName.replace(/\.[^.]*$/, ""));
  const found: Issue[] = [];
  for await (const issue of wantedIssues(library, viewer)) if (means(words, issue)) found.push(issue);
  const [issue, ...others] = found;
  if (!issue) throw new NotFound("wanted-by-mail/not-wanted", `Nothing that is wanted is called "${fileName}".`);
  if (others.length > 0) {
    const names = found.slice(0, 5).map(({ label }) => label.full);
    throw new Conflict("wanted-by-mail/ambiguous", `"${fileName}" may be ${names.join(" or ")}.`, { names });
  }
  return issue;
}

/** A name begins with the series and its number, or is the title of what has no number: `Moth Patrol 002 (2019)`. */
function means(words: string, { seriesTitle, number, label }: Issue): boolean {
  if (number === "") return words === foldWords(label.full);
  const series = foldWords(seriesTitle);
  const rest = words.startsWith(`${series} `) ? words.slice(series.length + 1) : "";
  const said = `${rest} `.replace(/^0+(?=\d)/, "");
  return said.startsWith(`${foldWords(number)} `);
}
