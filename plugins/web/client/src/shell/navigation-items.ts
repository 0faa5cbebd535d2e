import { t } from "@longbox/sdk/ui";
import { allowed } from "./contributions.js";
import type { Shell } from "./shell.js";

export interface NavigationItem {
  readonly label: string;
  readonly path: string;
  readonly icon: string;
  readonly order: number;
  readonly permission?: string | undefined;
  /** The plugin that the page needs. */
  readonly plugin?: string;
}

/** The main items. Items of plugins are sorted among them by `order`. */
const main: readonly NavigationItem[] = [
  { label: t("navigationItems.home"), path: "/", icon: "home", order: 0 },
  {
    label: t("navigationItems.library"),
    path: "/library",
    icon: "library",
    order: 10,
    permission: "library.view",
    plugin: "collection",
  },
];

/** What is saved for offline use: at the foot, beside the account. */
export const onThisDevice: NavigationItem = {
  label: t("navigationItems.onThisDevice"),
  path: "/offline",
  icon: "system",
  order: 0,
};

/** The items for administration; those of plugins are sorted among them as well. */
const keeping: readonly NavigationItem[] = [
  {
    label: t("navigationItems.libraries"),
    path: "/libraries",
    icon: "folder",
    order: 40,
    permission: "library.manage",
    plugin: "collection",
  },
  { label: t("navigationItems.plugins"), path: "/plugins", icon: "plugin", order: 100, permission: "plugins.manage" },
  { label: t("navigationItems.users"), path: "/users", icon: "users", order: 110, permission: "users.manage" },
  {
    label: t("navigationItems.settings"),
    path: "/settings",
    icon: "settings",
    order: 120,
    permission: "settings.manage",
  },
];

export function navigationItems(shell: Shell): {
  readonly main: readonly NavigationItem[];
  readonly keeping: readonly NavigationItem[];
} {
  const may = (permission: string): boolean => shell.may(permission);
  const active = new Set(shell.contributions.parts.value.map(({ name }) => name));
  const isShown = (item: NavigationItem): boolean =>
    allowed(item, may) && (item.plugin === undefined || active.has(item.plugin));
  const contributed = shell.contributions.parts.value.flatMap((part) =>
    part.nav.map((item) => ({ ...item, icon: item.icon ?? "plugin" })),
  );
  return {
    main: sorted([...main, ...contributed.filter((item) => !isAdministration(item))].filter(isShown)),
    keeping: sorted([...keeping, ...contributed.filter(isAdministration)].filter(isShown)),
  };
}

const sorted = (items: readonly NavigationItem[]) => items.toSorted((a, b) => a.order - b.order);

/** What needs a right to change the library or the server stands apart from what people read and look up. */
function isAdministration({ permission = "" }: NavigationItem): boolean {
  return /^(library\.manage$|system\.|settings\.|users\.|plugins\.)/.test(permission);
}

/** Whether the current address is that of an item, or below it. */
export function isHere(item: NavigationItem, path: string): boolean {
  if (item.path === "/") return path === "/";
  if (item.path === "/library" && /^\/(series|issue)\//.test(path)) return true;
  return path === item.path || path.startsWith(`${item.path}/`);
}
