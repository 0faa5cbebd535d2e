import "./waiting.js";

/** Only the number of books that wait stands on the home page; the rest is loaded where it is shown. */
export const lazyElements = {
  "open-library-match": () => import("./match.js"),
  "open-library-review": () => import("./review.js"),
  "open-library-test": () => import("./test.js"),
};
