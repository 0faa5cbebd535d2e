import "./activity.js";

/** Only the activity stands on every page. */
export const lazyElements = { "operations-page": () => import("./page.js") };
