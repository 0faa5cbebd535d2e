import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Quest } from "./quest.js";
import { inEnglish, type QuestWords } from "./quest-words.js";

/** A quest in words. */
export interface NamedQuest {
  readonly title: string;
  readonly description: string;
  readonly words: QuestWords;
  /** What it is about: a page of the web interface, and a cover. */
  readonly href?: string;
  readonly cover?: string;
}

type Found = Omit<NamedQuest, "title" | "description">;

/**
 * A quest in words, with the names as they are now; undefined when what it names is gone or hidden from the user: such
 * a quest is replaced.
 */
export async function nameQuest(
  library: CollectionContract,
  quest: Quest,
  viewer: Viewer,
): Promise<NamedQuest | undefined> {
  const found = await findWords(library, quest, viewer);
  return found && { ...inEnglish(found.words, quest.target), ...found };
}

async function findWords(library: CollectionContract, quest: Quest, viewer: Viewer): Promise<Found | undefined> {
  const { subject, target } = quest;
  switch (subject.kind) {
    case "pages":
    case "minutes":
    case "days":
      return { words: { kind: subject.kind } };
    case "old-pages":
      return { words: { kind: "old-pages", before: subject.before } };
    case "other-type":
      return await findType(library, subject.type, target);
    case "new-series":
    case "finish-series":
      return await findSeries(library, quest, viewer);
    default:
      return await findWorks(library, quest, viewer);
  }
}

async function findType(library: CollectionContract, type: string, target: number): Promise<Found | undefined> {
  const found = (await library.listLibraryTypes()).find(({ id }) => id === type);
  if (!found) return undefined;
  const heard = found.words.length === "seconds" ? minutesOf(target) : {};
  return { words: { kind: "other-type", type, label: found.label, ...heard } };
}

async function findSeries(
  library: CollectionContract,
  { subject, target }: Quest,
  viewer: Viewer,
): Promise<Found | undefined> {
  if (subject.kind !== "new-series" && subject.kind !== "finish-series") return undefined;
  const series = await library.findSeries(subject.seriesId, viewer);
  if (!series) return undefined;
  const shown = { href: `/series/${series.id}`, cover: `/api/collection/${series.id}/cover` };
  if (subject.kind === "new-series") {
    const type = (await library.listLibraryTypes()).find(({ id }) => id === series.type);
    const heard = type?.words.length === "seconds" ? minutesOf(target) : {};
    return { words: { kind: "new-series", series: series.title, ...heard }, ...shown };
  }
  const works = await library.findIssues(subject.issueIds, viewer);
  if (works.length < subject.issueIds.length || works.some(({ owned }) => !owned)) return undefined;
  const last = target === 1 ? { last: works[0]!.label.short } : {};
  return { words: { kind: "finish-series", series: series.title, ...last }, ...shown };
}

async function findWorks(
  library: CollectionContract,
  { subject, target }: Quest,
  viewer: Viewer,
): Promise<Found | undefined> {
  if (!("issueIds" in subject)) return undefined;
  const works = (await library.findIssues(subject.issueIds.slice(0, 50), viewer)).filter(({ owned }) => owned);
  const [first] = works;
  if (!first) return undefined;
  const shown = { href: `/issue/${first.cvIssueId}`, cover: `/api/issue/${first.cvIssueId}/cover` };
  if (subject.kind === "new-author") {
    const heard = works.some(({ pages }) => pages > 0) ? {} : minutesOf(target);
    return { words: { kind: "new-author", author: subject.author, examples: examplesOf(works), ...heard }, ...shown };
  }
  const kind = subject.kind === "finish-later" ? "finish-later" : "finish-begun";
  return { words: { kind, work: first.label.full }, ...shown };
}

/** Two minutes of listening count as a page. */
const minutesOf = (pages: number) => ({ minutes: pages * 2 });

/** Up to two series. */
function examplesOf(works: readonly Issue[]): string[] {
  return [...new Set(works.map(({ seriesTitle }) => seriesTitle))].slice(0, 2);
}
