/** Nothing of it stands on every page. */
export const lazyElements = {
  "downloads-page": () => import("./page.js"),
  "downloads-search": () => import("./search-dialog.js"),
  "downloads-get-all": () => import("./get-all-dialog.js"),
};
