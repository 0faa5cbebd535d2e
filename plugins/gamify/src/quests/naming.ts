import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Quest } from "./quest.js";

/** A quest in words. */
export interface NamedQuest {
  readonly title: string;
  readonly description: string;
  /** What it is about: a page of the web interface, and a cover. */
  readonly href?: string;
  readonly cover?: string;
}

/**
 * A quest in words, with the names as they are now; undefined when what it names is gone or hidden from the user: such a
 * quest is replaced.
 */
export async function nameQuest(
  library: CollectionContract,
  quest: Quest,
  viewer: Viewer,
): Promise<NamedQuest | undefined> {
  const { subject, target } = quest;
  switch (subject.kind) {
    case "pages":
      return { title: `Read ${target} pages`, description: "Of anything you like." };
    case "minutes":
      return { title: `Listen for ${target} minutes`, description: "To anything you like." };
    case "days":
      return { title: `Read on ${target} days`, description: "A page is enough for a day." };
    case "old-pages":
      return {
        title: `${target} old pages`,
        description: `Read ${target} pages of something from before ${subject.before}.`,
      };
    case "other-type":
      return await nameType(library, subject.type, target);
    case "new-series":
    case "finish-series":
      return await nameSeries(library, quest, viewer);
    default:
      return await nameWorks(library, quest, viewer);
  }
}

async function nameType(library: CollectionContract, type: string, target: number): Promise<NamedQuest | undefined> {
  const found = (await library.listLibraryTypes()).find(({ id }) => id === type);
  if (!found) return undefined;
  const amount = found.words.length === "seconds" ? `Listen for ${target * 2} minutes` : `Read ${target} pages`;
  return { title: "Something of another kind", description: `${amount} from a library of the type ${found.label}.` };
}

async function nameSeries(
  library: CollectionContract,
  { subject, target }: Quest,
  viewer: Viewer,
): Promise<NamedQuest | undefined> {
  if (subject.kind !== "new-series" && subject.kind !== "finish-series") return undefined;
  const series = await library.findSeries(subject.seriesId, viewer);
  if (!series) return undefined;
  const shown = { href: `/series/${series.id}`, cover: `/api/collection/${series.id}/cover` };
  if (subject.kind === "new-series") {
    const type = (await library.listLibraryTypes()).find(({ id }) => id === series.type);
    const isHeard = type?.words.length === "seconds";
    const description = isHeard ? `Listen to it for ${target * 2} minutes.` : `Read ${target} pages of it.`;
    return { title: `Try ${series.title}`, description, ...shown };
  }
  const works = await library.findIssues(subject.issueIds, viewer);
  if (works.length < subject.issueIds.length || works.some(({ owned }) => !owned)) return undefined;
  const left = target === 1 ? `Only ${works[0]!.label.short} is left.` : `Only ${target} are left.`;
  return { title: `Finish the series ${series.title}`, description: left, ...shown };
}

async function nameWorks(
  library: CollectionContract,
  { subject, target }: Quest,
  viewer: Viewer,
): Promise<NamedQuest | undefined> {
  if (!("issueIds" in subject)) return undefined;
  const works = (await library.findIssues(subject.issueIds.slice(0, 50), viewer)).filter(({ owned }) => owned);
  const [first] = works;
  if (!first) return undefined;
  const shown = { href: `/issue/${first.cvIssueId}`, cover: `/api/issue/${first.cvIssueId}/cover` };
  if (subject.kind === "new-author") {
    const amount = works.some(({ pages }) => pages > 0) ? `Read ${target} pages` : `Listen for ${target * 2} minutes`;
    const description = `${amount} by this author${exampleOf(works)}.`;
    return { title: `Meet ${subject.author}`, description, ...shown };
  }
  const description =
    subject.kind === "finish-later" ? "It waits on your shelf “Read later”." : "You have begun it already.";
  return { title: `Finish ${first.label.full}`, description, ...shown };
}

/** Names up to two series. */
function exampleOf(works: readonly Issue[]): string {
  const titles = [...new Set(works.map(({ seriesTitle }) => seriesTitle))].slice(0, 2);
  return titles.length === 0 ? "" : `, such as ${titles.join(" or ")}`;
}
