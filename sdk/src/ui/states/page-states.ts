import type { ResourceStates } from "../resource.js";
import { skeleton } from "./notices.js";
import { trouble } from "./trouble.js";

/** What a page shows while its own `Resource` is on its way, or when it could not be fetched. Looks as `notices` says. */
export const pageStates: ResourceStates = {
  waiting: skeleton(),
  failed: (_message, retry, thrown) => trouble(thrown, retry),
};
