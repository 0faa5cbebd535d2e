import "./bell.js";

/** Only the bell stands on every page. */
export const lazyElements = { "notifications-page": () => import("./page.js") };
