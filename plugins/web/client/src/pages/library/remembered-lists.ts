import { SeriesList } from "./series-list.js";
import type { Shell } from "../../shell/shell.js";

/**
 * Lists that were shown before, so that going back shows them at once. The key contains the user, because rights
 * differ.
 */
const remembered = new WeakMap<object, Map<string, SeriesList>>();
const mostLists = 5;

/** The list of a query. @param shown - the places that are shown, which an older list fetches again */
export function rememberedList(
  shell: Shell,
  query: string,
  shown: { readonly first: number; readonly last: number },
): SeriesList {
  const { user } = shell.session;
  const lists = remembered.get(user) ?? new Map<string, SeriesList>();
  remembered.set(user, lists);
  const kept = lists.get(query);
  kept?.refresh(shown.first, shown.last);
  const list = kept ?? new SeriesList(shell, query);
  lists.delete(query);
  lists.set(query, list);
  for (const oldest of [...lists.keys()].slice(0, -mostLists)) lists.delete(oldest);
  return list;
}
