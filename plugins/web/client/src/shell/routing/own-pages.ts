import { t } from "@longbox/sdk/ui";
import type { PageDefinition } from "./page-table.js";

type Options = Pick<PageDefinition, "element" | "title"> & Partial<PageDefinition>;

function page(path: string, options: Options, load: () => Promise<unknown>): PageDefinition {
  return { path, chrome: true, load, ...options };
}

/** The shell's own pages; each is loaded when it is first shown. */
export const pages = {
  home: page("/", { element: "lb-home-page", title: t("ownPages.home") }, () => import("../../pages/home.js")),
  library: page(
    "/library",
    { element: "lb-library-page", title: t("ownPages.library"), permission: "library.view" },
    () => import("../../pages/library.js"),
  ),
  search: page(
    "/search",
    { element: "lb-search-page", title: t("ownPages.search"), permission: "library.view" },
    () => import("../../pages/search.js"),
  ),
  series: page(
    "/series/:id",
    { element: "lb-series-page", title: t("ownPages.series"), permission: "library.view" },
    () => import("../../pages/series.js"),
  ),
  issue: page(
    "/issue/:cvIssueId",
    { element: "lb-issue-page", title: t("ownPages.issue"), permission: "library.view" },
    () => import("../../pages/issue.js"),
  ),
  libraries: page(
    "/libraries",
    { element: "lb-libraries-page", title: t("ownPages.libraries"), permission: "library.manage" },
    () => import("../../pages/libraries.js"),
  ),
  users: page(
    "/users",
    { element: "lb-users-page", title: t("ownPages.usersAndRoles"), permission: "users.manage" },
    () => import("../../pages/users.js"),
  ),
  plugins: page(
    "/plugins",
    { element: "lb-plugins-page", title: t("ownPages.plugins"), permission: "plugins.manage" },
    () => import("../../pages/plugins.js"),
  ),
  plugin: page(
    "/plugin/:name",
    { element: "lb-plugin-page", title: t("ownPages.plugin"), permission: "plugins.manage" },
    () => import("../../pages/plugin.js"),
  ),
  settings: page(
    "/settings",
    { element: "lb-settings-page", title: t("ownPages.settings"), permission: "settings.manage" },
    () => import("../../pages/settings.js"),
  ),
  offline: page(
    "/offline",
    { element: "lb-offline-page", title: t("ownPages.savedOnThisDevice") },
    () => import("../../pages/offline.js"),
  ),
  account: page(
    "/account",
    { element: "lb-account-page", title: t("ownPages.yourAccount") },
    () => import("../../pages/account.js"),
  ),
  welcome: page(
    "/welcome",
    { element: "lb-welcome-page", title: t("ownPages.welcome"), chrome: false },
    () => import("../../pages/welcome.js"),
  ),
  register: page(
    "/register",
    { element: "lb-register-page", title: t("ownPages.register"), chrome: false },
    () => import("../../pages/sign-in.js"),
  ),
  signIn: page(
    "/sign-in",
    { element: "lb-sign-in-page", title: t("ownPages.signIn"), chrome: false },
    () => import("../../pages/sign-in.js"),
  ),
  notFound: page(
    "/not-found",
    { element: "lb-not-found-page", title: t("ownPages.notFound") },
    () => import("../../pages/not-found.js"),
  ),
  forbidden: page(
    "/forbidden",
    { element: "lb-forbidden-page", title: t("ownPages.notForYou") },
    () => import("../../pages/not-found.js"),
  ),
} satisfies Record<string, PageDefinition>;
