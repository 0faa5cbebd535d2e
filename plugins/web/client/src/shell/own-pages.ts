import type { PageDefinition } from "./page-table.js";

type Options = Pick<PageDefinition, "element" | "title"> & Partial<PageDefinition>;

function page(path: string, options: Options, load: () => Promise<unknown>): PageDefinition {
  return { path, chrome: true, load, ...options };
}

/** The shell's own pages; each is loaded when it is first shown. */
export const pages = {
  home: page("/", { element: "lb-home-page", title: "Home" }, () => import("../pages/home.js")),
  library: page(
    "/library",
    { element: "lb-library-page", title: "Library", permission: "library.view" },
    () => import("../pages/library.js"),
  ),
  search: page(
    "/search",
    { element: "lb-search-page", title: "Search", permission: "library.view" },
    () => import("../pages/search.js"),
  ),
  series: page(
    "/series/:id",
    { element: "lb-series-page", title: "Series", permission: "library.view" },
    () => import("../pages/series.js"),
  ),
  issue: page(
    "/issue/:cvIssueId",
    { element: "lb-issue-page", title: "Issue", permission: "library.view" },
    () => import("../pages/issue.js"),
  ),
  libraries: page(
    "/libraries",
    { element: "lb-libraries-page", title: "Libraries", permission: "library.manage" },
    () => import("../pages/libraries.js"),
  ),
  users: page(
    "/users",
    { element: "lb-users-page", title: "Users and roles", permission: "users.manage" },
    () => import("../pages/users.js"),
  ),
  plugins: page(
    "/plugins",
    { element: "lb-plugins-page", title: "Plugins", permission: "plugins.manage" },
    () => import("../pages/plugins.js"),
  ),
  plugin: page(
    "/plugin/:name",
    { element: "lb-plugin-page", title: "Plugin", permission: "plugins.manage" },
    () => import("../pages/plugin.js"),
  ),
  settings: page(
    "/settings",
    { element: "lb-settings-page", title: "Settings", permission: "settings.manage" },
    () => import("../pages/settings.js"),
  ),
  offline: page(
    "/offline",
    { element: "lb-offline-page", title: "Saved on this device" },
    () => import("../pages/offline.js"),
  ),
  account: page("/account", { element: "lb-account-page", title: "Your account" }, () => import("../pages/account.js")),
  welcome: page(
    "/welcome",
    { element: "lb-welcome-page", title: "Welcome", chrome: false },
    () => import("../pages/welcome.js"),
  ),
  register: page(
    "/register",
    { element: "lb-register-page", title: "Register", chrome: false },
    () => import("../pages/sign-in.js"),
  ),
  signIn: page(
    "/sign-in",
    { element: "lb-sign-in-page", title: "Sign in", chrome: false },
    () => import("../pages/sign-in.js"),
  ),
  notFound: page(
    "/not-found",
    { element: "lb-not-found-page", title: "Not found" },
    () => import("../pages/not-found.js"),
  ),
  forbidden: page(
    "/forbidden",
    { element: "lb-forbidden-page", title: "Not for you" },
    () => import("../pages/not-found.js"),
  ),
} satisfies Record<string, PageDefinition>;
