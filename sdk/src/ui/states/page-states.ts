import type { ResourceStates } from "../resource.js";
import { skeleton } from "./notices.js";
import { trouble } from "./trouble.js";

/** What a part of a page shows while its `Resource` is on its way, or when it could not be fetched. Looks as `notices` says. */
export const pageStates: ResourceStates = {
  waiting: skeleton(),
  failed: (_message, retry, thrown) => trouble(thrown, retry),
};

/** The same for a `Resource` without which a page has nothing to show, not even its heading. */
export const wholePageStates: ResourceStates = {
  waiting: skeleton(),
  failed: (_message, retry, thrown) => trouble(thrown, retry, "page"),
};
