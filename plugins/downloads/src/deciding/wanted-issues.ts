import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { foldWords, type Viewer } from "@longbox/sdk";

export interface WantedQuery {
  /** `gaps`: every missing issue, wanted or not. */
  readonly scope: "wanted" | "gaps";
  readonly followed: boolean;
  readonly hideUnreleased: boolean;
  readonly q?: string | undefined;
}

const atOnce = 1000;

/** Missing issues that a query means, up to a number of them. */
export async function findWanted(
  library: CollectionContract,
  query: WantedQuery,
  { viewer, limit }: { readonly viewer: Viewer; readonly limit: number },
): Promise<number[]> {
  const found: number[] = [];
  const fits = fittingTo(query);
  for await (const one of query.scope === "gaps" ? missing(library, viewer) : wanted(library, query, viewer))
    if (fits(one) && found.push(one.issue.id) === limit) break;
  return found;
}

interface Missing {
  readonly issue: Issue;
  readonly storeDate: string | undefined;
}

export async function* wanted(
  library: CollectionContract,
  { followed }: Pick<WantedQuery, "followed">,
  viewer: Viewer,
): AsyncGenerator<Missing> {
  for (let afterId = 0; ;) {
    const part = await library.listWanted({ afterId, limit: atOnce, ...(followed && { followed }) }, viewer);
    yield* part;
    if (part.length < atOnce) return;
    afterId = part.at(-1)!.issue.id;
  }
}

async function* missing(library: CollectionContract, viewer: Viewer): AsyncGenerator<Missing> {
  for (let afterId = 0; ;) {
    const part = await library.listIssuesAfter({ afterId, limit: atOnce }, viewer);
    for (const { issue, detail } of part) if (!issue.owned) yield { issue, storeDate: detail.storeDate };
    if (part.length < atOnce) return;
    afterId = part.at(-1)!.issue.id;
  }
}

function fittingTo({ hideUnreleased, q }: WantedQuery): (one: Missing) => boolean {
  const today = new Date().toISOString().slice(0, 10);
  const words = foldWords(q ?? "")
    .split(" ")
    .filter((word) => word !== "");
  return ({ issue, storeDate }) => {
    if (hideUnreleased && (storeDate ?? issue.coverDate ?? "") > today) return false;
    if (words.length === 0) return true;
    const text = ` ${foldWords(`${issue.seriesTitle} ${issue.number} ${issue.title ?? ""}`)}`;
    return words.every((word) => text.includes(` ${word}`));
  };
}
