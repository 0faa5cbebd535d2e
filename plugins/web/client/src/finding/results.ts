import type { SearchAnswer } from "@longbox/collection/api";

type Hit = SearchAnswer["items"][number];

/** One line of the panel: something of the library, a page of the interface, or something to do. */
export interface Result {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly href?: string | undefined;
  readonly run?: (() => void) | undefined;
  readonly cover?: string | undefined;
  /** Where there is no cover. */
  readonly icon: string;
  readonly score: number;
}

/** Results below one heading. */
export interface ResultGroup {
  readonly id: string;
  readonly label: string;
  readonly results: readonly Result[];
}

const icons: Readonly<Record<string, string>> = {
  series: "library",
  issues: "book",
  people: "user",
  characters: "heart",
  teams: "users",
  arcs: "flag",
  publishers: "folder",
  lists: "list",
};

/** Groups of names, whose details are words of the server and no names themselves. */
const named: ReadonlySet<string> = new Set(["people", "characters", "teams", "arcs", "publishers", "lists"]);

/**
 * What the server found, by group; the group with the best result comes first.
 * @param said - says a word of the server in the language of the document
 */
export function groupsOf(answer: SearchAnswer, said: (text: string) => string): ResultGroup[] {
  return [...Map.groupBy(answer.items, ({ group }) => group.id)].map(([id, hits]) => ({
    id,
    label: said(hits[0]!.group.label),
    results: hits.map((hit) => resultOf(hit, said)),
  }));
}

function resultOf({ group, title, detail: own, href, cover, score }: Hit, said: (text: string) => string): Result {
  const detail = own !== undefined && named.has(group.id) ? said(own) : own;
  return { title, detail, href, cover, score, icon: icons[group.id] ?? "book" };
}

/** Groups of both, the one with the best result first. */
export function inOrder(groups: readonly ResultGroup[]): ResultGroup[] {
  const best = ({ results }: ResultGroup) => Math.max(...results.map(({ score }) => score));
  return groups.filter(({ results }) => results.length > 0).toSorted((one, other) => best(other) - best(one));
}
