import type { CollectionContract, Issue, IssueDetail } from "@longbox/collection/contract";
import { foldText, inBatches, type Viewer } from "@longbox/sdk";
import type { Desk, Reader } from "./desk.js";
import type { Offer } from "./quest.js";
import { isReadable } from "./sampling.js";

const reward = 10;
const parts = { pages: 20, oldPages: 10 };
const oldYears = 25;
/** Works whose authors count as known, the last read ones. */
const mostKnown = 3000;
const mostWorks = 500;
const triedAuthors = 6;
const writes = /writer|author|script|story/i;

/** What the user does not know yet: series, authors, old works, other types of libraries. */
export async function discoveries(desk: Desk, reader: Reader, sample: readonly Issue[]): Promise<Offer[]> {
  const found = await Promise.all([newSeries(desk, reader, sample), newAuthors(desk, reader, sample)]);
  return [...found.flat(), ...oldPages(reader, sample), ...otherTypes(reader, sample)];
}

async function newSeries({ reading }: Desk, { viewer }: Reader, sample: readonly Issue[]): Promise<Offer[]> {
  const ids = [...new Set(sample.map(({ seriesId }) => seriesId))];
  const touched = new Set(await reading.findTouchedSeries(viewer, ids));
  return ids
    .filter((seriesId) => !touched.has(seriesId))
    .slice(0, 4)
    .map((seriesId) => ({ subject: { kind: "new-series", seriesId }, target: parts.pages, reward }));
}

function oldPages({ today, counted }: Reader, sample: readonly Issue[]): Offer[] {
  const before = Number(today.slice(0, 4)) - oldYears;
  const read = new Set(counted.map(({ issueId }) => issueId));
  const isOld = ({ id, coverDate, pages }: Issue) =>
    pages > 0 && !read.has(id) && coverDate !== undefined && Number(coverDate.slice(0, 4)) < before;
  if (!sample.some(isOld)) return [];
  return [{ subject: { kind: "old-pages", before }, target: parts.oldPages, reward }];
}

function otherTypes({ counted }: Reader, sample: readonly Issue[]): Offer[] {
  const known = new Set(counted.map(({ type }) => type));
  if (known.size === 0) return [];
  const others = [...new Set(sample.map(({ type }) => type))].filter((type) => !known.has(type));
  return others.map((type) => ({ subject: { kind: "other-type", type }, target: parts.pages, reward }));
}

async function newAuthors({ library }: Desk, { viewer, counted }: Reader, sample: readonly Issue[]): Promise<Offer[]> {
  const read = [...new Set(counted.map(({ issueId }) => issueId))].slice(-mostKnown);
  const known = new Set<string>();
  for (const ids of inBatches(read))
    for (const detail of await library.findIssueDetails(ids))
      for (const author of authorsOf(detail)) known.add(foldText(author));
  const details = await library.findIssueDetails(sample.map(({ id }) => id));
  const authors = [...new Set(details.flatMap(authorsOf))].filter((author) => !known.has(foldText(author)));
  const offers: Offer[] = [];
  for (const author of authors.slice(0, triedAuthors)) {
    const issueIds = await worksBy(library, author, { viewer, details });
    if (issueIds.length > 0)
      offers.push({ subject: { kind: "new-author", author, issueIds }, target: parts.pages, reward });
  }
  return offers;
}

/** What the library has of an author: found by the name among series, and in the sample. */
async function worksBy(
  library: CollectionContract,
  author: string,
  { viewer, details }: { readonly viewer: Viewer; readonly details: readonly IssueDetail[] },
): Promise<number[]> {
  const found = new Set(details.filter((detail) => isBy(detail, author)).map(({ issueId }) => issueId));
  const { items } = await library.listSeries({ search: author, limit: 10 }, viewer);
  for (const { id } of items) {
    const issues = (await library.listIssues(id, viewer)).filter(isReadable).slice(0, mostWorks);
    const ofSeries = await library.findIssueDetails(issues.map((issue) => issue.id));
    for (const detail of ofSeries) if (isBy(detail, author)) found.add(detail.issueId);
  }
  return [...found].slice(0, mostWorks);
}

function isBy(detail: IssueDetail, author: string): boolean {
  const name = foldText(author);
  return authorsOf(detail).some((other) => foldText(other) === name);
}

function authorsOf({ credits }: IssueDetail): string[] {
  return credits
    .filter(({ role, name }) => writes.test(role) && name !== "" && name.length <= 300)
    .map(({ name }) => name);
}
