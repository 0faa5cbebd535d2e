import {
  issueHit,
  seriesHit,
  type CollectionContract,
  type SearchHit,
  type SearchProvider,
  type SearchQuestion,
} from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Found } from "../finding/findable.js";
import type { IndexThread } from "../thread/index-thread.js";
import { facetLabels, type FacetName } from "./facets.js";
import { escaped } from "./selection.js";

type NamedFound = Found & { readonly kind: Exclude<Found["kind"], "series" | "issue"> };

/** Where names of each kind are shown. */
const groups: Readonly<Record<NamedFound["kind"], SearchHit["group"]>> = {
  arc: { id: "arcs", label: "Story arcs" },
  character: { id: "characters", label: "Characters" },
  author: { id: "people", label: "People" },
  artist: { id: "people", label: "People" },
  narrator: { id: "people", label: "People" },
  team: { id: "teams", label: "Teams" },
  publisher: { id: "publishers", label: "Publishers" },
};

/** What is typed as a number behind a title, such as `beacon 12`, may be that of an issue. */
const trailingNumber = /^\d{1,4}[a-z]?$/;

interface LibrarySearchParts {
  readonly thread: IndexThread;
  readonly library: CollectionContract;
}

/** Finds everything of the library by the index. */
export class LibrarySearch implements SearchProvider {
  readonly findsLibrary = true;

  constructor(private readonly parts: LibrarySearchParts) {}

  async search(question: SearchQuestion, viewer: Viewer): Promise<readonly SearchHit[] | undefined> {
    const { thread } = this.parts;
    if (!(await thread.run("status", undefined)).ready) return undefined;
    const { seesRestricted } = viewer;
    const { words, number, limit } = question;
    const asked = { words, number, limit, seesRestricted };
    const last = words.at(-1) ?? "";
    const mayBeNumber = number === undefined && words.length > 1 && trailingNumber.test(last);
    const [found, numbered] = await Promise.all([
      thread.run("find", asked),
      mayBeNumber ? thread.run("find", { ...asked, words: words.slice(0, -1), number: last }) : [],
    ]);
    return await this.#hits([...found, ...numbered.filter(({ kind }) => kind === "issue")], viewer);
  }

  async #hits(found: readonly Found[], viewer: Viewer): Promise<SearchHit[]> {
    const { library } = this.parts;
    const idsOf = (wanted: Found["kind"]) => found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const [issues, series, types] = await Promise.all([
      library.findIssues(idsOf("issue"), viewer),
      Promise.all(idsOf("series").map((id) => library.findSeries(id, viewer))),
      library.listLibraryTypes(),
    ]);
    const issueOf = new Map(issues.map((issue) => [issue.id, issue]));
    const seriesOf = new Map(series.flatMap((one) => (one ? [[one.id, one] as const] : [])));
    const names = new Set<string>();
    return found.flatMap((one): SearchHit[] => {
      if (one.kind === "series") return [seriesOf.get(one.id)].flatMap((is) => (is ? [seriesHit(is, one.score)] : []));
      if (one.kind === "issue")
        return [issueOf.get(one.id)].flatMap((is) => (is ? [issueHit(is, one.score, types)] : []));
      const hit = nameHit(one as NamedFound);
      const name = `${hit.group.id} ${hit.title}`;
      // A person who writes and draws is found once.
      if (names.has(name)) return [];
      names.add(name);
      return [hit];
    });
  }
}

function nameHit({ kind, label, score }: NamedFound): SearchHit {
  const facet: FacetName = kind;
  const query = new URLSearchParams({ [facet]: escaped(label) });
  return { group: groups[kind], title: label, detail: facetLabels[facet], href: `/shelves?${query}`, score };
}
