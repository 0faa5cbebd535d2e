import type { PageDefinition } from "./page-table.js";

function page(
  path: string,
  element: string,
  title: string,
  load: () => Promise<unknown>,
  more: Partial<PageDefinition> = {},
): PageDefinition {
  return { path, element, title, chrome: true, load, ...more };
}

/** The shell's own pages; each is loaded when it is first shown. */
export const pages = {
  home: page("/", "lb-home-page", "Home", () => import("../pages/home.js")),
  library: page("/library", "lb-library-page", "Library", () => import("../pages/library.js"), {
    permission: "library.view",
  }),
  series: page("/series/:id", "lb-series-page", "Series", () => import("../pages/series.js"), {
    permission: "library.view",
  }),
  issue: page("/issue/:cvIssueId", "lb-issue-page", "Issue", () => import("../pages/issue.js"), {
    permission: "library.view",
  }),
  libraries: page("/libraries", "lb-libraries-page", "Libraries", () => import("../pages/libraries.js"), {
    permission: "library.manage",
  }),
  users: page("/users", "lb-users-page", "Users and roles", () => import("../pages/users.js"), {
    permission: "users.manage",
  }),
  plugins: page("/plugins", "lb-plugins-page", "Plugins", () => import("../pages/plugins.js"), {
    permission: "plugins.manage",
  }),
  settings: page("/settings", "lb-settings-page", "Settings", () => import("../pages/settings.js"), {
    permission: "settings.manage",
  }),
  account: page("/account", "lb-account-page", "Your account", () => import("../pages/account.js")),
  welcome: page("/welcome", "lb-welcome-page", "Welcome", () => import("../pages/welcome.js"), { chrome: false }),
  register: page("/register", "lb-register-page", "Register", () => import("../pages/sign-in.js"), { chrome: false }),
  signIn: page("/sign-in", "lb-sign-in-page", "Sign in", () => import("../pages/sign-in.js"), { chrome: false }),
  notFound: page("/not-found", "lb-not-found-page", "Not found", () => import("../pages/not-found.js")),
  forbidden: page("/forbidden", "lb-forbidden-page", "Not for you", () => import("../pages/not-found.js")),
} satisfies Record<string, PageDefinition>;
