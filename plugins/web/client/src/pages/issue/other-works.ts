import type { Shell } from "../../shell/shell.js";

/** What a name on an issue's page stands for: a facet of the browsing page, or the role of a creator. */
export type NameKind = "character" | "team" | "arc" | "place" | { readonly role: string };

const browsing = "/shelves";

/** The roles, without spaces and hyphens, by which the browsing page knows creators. */
const roles: Readonly<Record<string, readonly string[]>> = {
  author: ["author", "writer", "script", "plot", "story"],
  artist: ["artist", "penciller", "penciler", "inker", "colorist", "colourist", "cover", "coverartist", "illustrator"],
  narrator: ["narrator", "reader"],
};

/**
 * The address of what else there is of a name: the browsing page, narrowed by it, where a plugin contributes that page
 * and it knows the name; otherwise the search of the library.
 */
export function otherWorks(name: string, kind: NameKind, shell: Shell): string {
  const facet = facetOf(kind);
  const isOffered = shell.contributions.parts.value.some((part) => part.pages.some(({ path }) => path === browsing));
  const [path, parameter] = facet !== undefined && isOffered ? [browsing, facet] : ["/library", "search"];
  return `${path}?${new URLSearchParams({ [parameter]: name }).toString()}`;
}

function facetOf(kind: NameKind): string | undefined {
  if (kind === "place") return undefined;
  if (typeof kind === "string") return kind;
  const role = kind.role.toLowerCase().replaceAll(/[\s-]/g, "");
  return Object.keys(roles).find((facet) => roles[facet]!.includes(role));
}
