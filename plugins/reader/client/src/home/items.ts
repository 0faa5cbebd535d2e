import { t } from "@longbox/sdk/ui";
import type { ShelfItem } from "@longbox/reader/api";
import type { LongboxClient } from "@longbox/sdk/ui";
import { UnsavedPlaces } from "../unsaved-places.js";

interface HomeShelfKind {
  readonly title: string;
  /** Where all of it is. */
  readonly href?: string;
}

export const shelves = {
  continue: { title: t("items.continueReading"), href: "/library?reading=reading" },
  "next-up": { title: t("items.nextUp"), href: "/library?reading=reading" },
  later: { title: t("items.readLater") },
  "new-in-library": { title: t("items.newInTheLibrary"), href: "/library?sort=added" },
  "start-new": { title: t("items.startSomethingNew"), href: "/library?reading=unread&sort=added" },
  "recently-finished": { title: t("items.recentlyFinished"), href: "/library?reading=read" },
} as const satisfies Readonly<Record<string, HomeShelfKind>>;
export type ShelfName = keyof typeof shelves;
export type Items = Readonly<Record<ShelfName, readonly ShelfItem[]>>;

const names = Object.keys(shelves) as ShelfName[];
const perShelf = 20;

/** The answers that are under way, which all shelves of a page share. */
const underWay = new WeakMap<LongboxClient, Promise<Items>>();

/** The items of all shelves: they are loaded together, since none repeats what an earlier one shows. */
export function loadItems(longbox: LongboxClient): Promise<Items> {
  const known = underWay.get(longbox);
  if (known) return known;
  const loading = load(longbox).finally(() => underWay.delete(longbox));
  underWay.set(longbox, loading);
  return loading;
}

async function load(longbox: LongboxClient): Promise<Items> {
  // Positions that were saved offline are sent first, because the shelves depend on them.
  await new UnsavedPlaces(longbox).send();
  const answers = await Promise.all(
    names.map(async (name) => {
      const path = `/api/reader/${name}?limit=${perShelf}&grouped=true`;
      return [name, (await longbox.api<{ items: ShelfItem[] }>(path)).items] as const;
    }),
  );
  return withoutRepeats(Object.fromEntries(answers) as Record<ShelfName, ShelfItem[]>);
}

/** An item is shown only on the first shelf that contains it; what was finished is shown in any case. */
function withoutRepeats(items: Items): Items {
  const shown = new Set<number>();
  const kept = names.map((name) => {
    const some = items[name].filter((item) => name === "recently-finished" || !shown.has(item.cvIssueId));
    for (const item of some) shown.add(item.cvIssueId);
    return [name, some] as const;
  });
  return Object.fromEntries(kept) as Record<ShelfName, ShelfItem[]>;
}
