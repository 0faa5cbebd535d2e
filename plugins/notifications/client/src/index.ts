/** Nothing of it stands on every page. */
export const lazyElements = { "notifications-page": () => import("./page.js") };
