import { childrenOf, readRoot, refusalIn, type Refusal } from "./feed.js";

/** What an indexer says it can do. */
export interface Abilities {
  /** How it calls itself, with its version where it says one. */
  readonly title: string;
  readonly version: string | undefined;
  readonly canSearch: boolean;
  /** How many items a page may have. */
  readonly mostItems: number;
  /** The numbers of its categories, with those inside them. */
  readonly categories: readonly string[];
}

export type AbilitiesAnswer = { readonly abilities: Abilities } | { readonly refusal: Refusal };

const usualPage = 100;

/** @throws {Error} with a sentence for a person */
export function readAbilities(bytes: Uint8Array): AbilitiesAnswer {
  const root = readRoot(bytes);
  const refusal = refusalIn(root);
  if (refusal) return { refusal };
  if (root.name !== "caps") throw new Error("The answer is no Torznab capabilities document. Check the address.");
  const first = (name: string) => childrenOf(root, name)[0];
  const searching = first("searching");
  const search = searching && childrenOf(searching, "search")[0];
  const server = first("server")?.attributes ?? {};
  const categories = first("categories");
  return {
    abilities: {
      title: (server["title"] ?? server["strapline"] ?? "").slice(0, 100),
      version: server["version"]?.slice(0, 40),
      canSearch: search?.attributes["available"] !== "no",
      mostItems: Math.max(1, Math.min(usualPage, Number(first("limits")?.attributes["max"] ?? usualPage) || usualPage)),
      categories: (categories ? childrenOf(categories, "category") : [])
        .flatMap((one) => [one, ...childrenOf(one, "subcat")])
        .map(({ attributes }) => attributes["id"] ?? "")
        .filter((id) => /^\d{1,7}$/u.test(id))
        .slice(0, 1_000),
    },
  };
}
