import "./home-strips.js";

/** Only the strips stand on the home page; the rest is loaded where it is shown. */
export const lazyElements = {
  "shelves-page": () => Promise.all([import("./browser.js"), import("./facet.js")]),
  "shelves-library-filters": () => Promise.all([import("./library-filters.js"), import("./facet.js")]),
  "shelves-rate": () => import("./rate.js"),
};
