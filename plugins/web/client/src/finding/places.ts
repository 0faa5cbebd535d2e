import { foldText, t } from "@longbox/sdk/ui";
import { allowed } from "../shell/contributions.js";
import { navigationItems, onThisDevice } from "../shell/navigation-items.js";
import type { Shell } from "../shell/shell.js";
import type { Theme } from "../shell/theme.js";
import type { Result, ResultGroup } from "./results.js";

interface Place extends Omit<Result, "score"> {
  /** Other words by which it is found. */
  readonly words?: string;
}

/** On the scale of the server's scores: a page with exactly the typed name comes before most items of the library. */
const scores = { same: 90, beginning: 62, word: 40 } as const;
const mostPlaces = 5;

/** Pages of the interface and actions that have every word that was typed; all pages where nothing was. */
export function findPlaces(shell: Shell, text: string, showKeys: () => void): ResultGroup[] {
  const groups = [
    { id: "pages", label: t("places.pages"), places: pagesOf(shell) },
    { id: "actions", label: t("places.actions"), places: actionsOf(shell, showKeys) },
  ];
  const words = foldText(text).split(" ").filter(Boolean);
  if (words.length === 0)
    return groups.slice(0, 1).map(({ id, label, places }) => ({ id, label, results: unranked(places) }));
  return groups.map(({ id, label, places }) => ({ id, label, results: ranked(places, words) }));
}

const unranked = (places: readonly Place[]): Result[] => places.map((place) => ({ ...place, score: 0 }));

function ranked(places: readonly Place[], words: readonly string[]): Result[] {
  return places
    .flatMap((place) => {
      const score = scoreOf(place, words);
      return score === undefined ? [] : [{ ...place, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostPlaces);
}

function scoreOf({ title, words: others = "" }: Place, words: readonly string[]): number | undefined {
  const label = foldText(title);
  const text = words.join(" ");
  if (label === text) return scores.same;
  if (label.startsWith(text)) return scores.beginning;
  const own = foldText(`${title} ${others}`).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => own.some((one) => one.startsWith(word))) ? scores.word : undefined;
}

function pagesOf(shell: Shell): Place[] {
  const { main, keeping } = navigationItems(shell);
  const items = [...main, ...keeping].map(({ label, path, icon }) => ({ title: label, href: path, icon }));
  const known = new Set(items.map(({ href }) => href));
  const others = shell.contributions.parts.value.flatMap((part) =>
    part.pages
      .filter((page) => !page.path.includes(":") && !known.has(page.path))
      .filter((page) => allowed(page, (permission) => shell.may(permission)))
      .map(({ title, path }) => ({ title, href: path, icon: "plugin" })),
  );
  const account = { title: t("places.yourAccount"), href: "/account", icon: "user", words: t("places.passwordApiKey") };
  const { label: title, path: href, icon } = onThisDevice;
  const saved = { title, href, icon, words: t("places.offlineSavedDownloadStorage") };
  return [...items, ...others, saved, account];
}

const themes: ReadonlyArray<readonly [theme: Theme, label: string, icon: string]> = [
  ["light", t("places.useTheLightTheme"), "sun"],
  ["dark", t("places.useTheDarkTheme"), "moon"],
  ["black", t("places.useTheBlackTheme"), "black"],
  ["system", t("places.useTheThemeOf"), "system"],
];

function actionsOf(shell: Shell, showKeys: () => void): Place[] {
  const isManager = shell.may("library.manage");
  return [
    ...themes.map(([theme, title, icon]) => ({
      title,
      icon,
      words: t("places.colourMode"),
      run: () => shell.theme.set(theme),
    })),
    ...(isManager
      ? [{ title: t("places.addALibrary"), icon: "plus", href: "/libraries", words: t("places.newFolderScan") }]
      : []),
    { title: t("places.showTheKeyboardShortcuts"), icon: "keyboard", words: t("places.keysHelp"), run: showKeys },
    {
      title: t("places.signOut"),
      icon: "sign-out",
      words: t("places.logOutLogout"),
      run: () => void shell.session.signOut(),
    },
  ];
}
