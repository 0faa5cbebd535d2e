import { html } from "lit";
import { t } from "../language/translate.js";
import type { ResourceStates } from "../resource.js";
import { skeleton } from "./notices.js";
import { trouble } from "./trouble.js";

/**
 * What a part of a page shows while its `Resource` is on its way, or when it could not be fetched. Looks as `notices`
 * says.
 */
export const pageStates: ResourceStates = {
  waiting: skeleton(),
  failed: (_message, retry, thrown) => trouble(thrown, retry),
};

/** The same for a `Resource` without which a page has nothing to show, not even its heading. */
export const wholePageStates: ResourceStates = {
  waiting: html`<h1 class="hidden">${t(["kit:oneMoment", "One moment …"])}</h1>
    ${skeleton()}`,
  failed: (_message, retry, thrown) => trouble(thrown, retry, "page"),
};
