import "./summary.js";

/** Only the summary stands on the home page. */
export const lazyElements = { "gamify-page": () => import("./page.js") };
