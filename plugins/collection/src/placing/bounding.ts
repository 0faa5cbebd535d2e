import type { ReadFile } from "../contract.js";

/** Longer texts, and more names, do not occur in honest files; they would only make every list slow. */
export const most = { title: 500, name: 200, description: 20_000, url: 2000, names: 300 };

/** A file's reading without what is longer than anything honest. */
export function bounded(file: ReadFile): ReadFile {
  const { series, issue } = file;
  return {
    ...file,
    sizeBytes: whole(file.sizeBytes) ?? 0,
    pages: whole(file.pages) ?? 0,
    seconds: Number.isFinite(file.seconds) ? file.seconds : undefined,
    series: {
      ...series,
      name: cut(series.name, most.title),
      apart: cut(series.apart, most.name),
      publisher: cut(series.publisher, most.name),
      year: whole(series.year),
      cvId: providerId(series.cvId),
    },
    issue: {
      ...issue,
      cvIssueId: providerId(issue.cvIssueId),
      number: cut(issue.number, 64),
      title: cut(issue.title, most.title),
      description: cut(issue.description, most.description),
      url: issue.url === undefined || issue.url.length > most.url ? undefined : issue.url,
      language: cut(issue.language, 35),
      ageRating: cut(issue.ageRating, 64),
      credits: issue.credits
        ?.slice(0, most.names)
        .map(({ name, role }) => ({ name: cut(name, most.name), role: cut(role, 64) })),
      characters: cutAll(issue.characters),
      teams: cutAll(issue.teams),
      locations: cutAll(issue.locations),
      arcs: cutAll(issue.arcs),
      subjects: cutAll(issue.subjects),
    },
  };
}

/** A number that columns of whole numbers can hold; a fraction is dropped. */
function whole(number: number | undefined): number | undefined {
  const integer = Math.trunc(number ?? Number.NaN);
  return Number.isSafeInteger(integer) ? integer : undefined;
}

function providerId(id: number | undefined): number | undefined {
  return Number.isSafeInteger(id) && (id as number) > 0 ? id : undefined;
}

function cutAll(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.slice(0, most.names).map((text) => cut(text, most.name));
}

/** Cuts between characters, and takes out what no database or document can hold. */
function cut(text: string, length: number): string;
function cut(text: string | undefined, length: number): string | undefined;
function cut(text: string | undefined, length: number): string | undefined {
  if (text === undefined) return undefined;
  const plain = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return (plain.length <= length ? plain : plain.slice(0, length)).toWellFormed();
}
