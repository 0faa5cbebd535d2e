/** Nothing of it stands on every page. */
export const lazyElements = { "operations-page": () => import("./page.js") };
