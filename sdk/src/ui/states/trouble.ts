import type { TemplateResult } from "lit";
import type { ApiError } from "../../client.js";
import { isAway, messageOf } from "../message.js";
import { notice, type Notice } from "./notices.js";
import { t } from "../language/translate.js";

/**
 * Says why a page, or a part of one, cannot be shown: the server is out of reach, the user may not see it, it does not
 * exist, its plugin is off, or something else went wrong. Looks as `notices` says.
 * @param thrown - What fetching it failed with
 * @param retry - Fetches it again, where that may help
 * @param place - `page` when nothing else is shown, so that its heading is the page's
 */
export function trouble(thrown: unknown, retry: () => void, place: "part" | "page" = "part"): TemplateResult {
  const isPage = place === "page";
  return notice({ ...wording(thrown), isPage, isProblem: true, ...(mayHelp(thrown) && { action: again(retry) }) });
}

const again = (run: () => void) => ({ label: t(["kit:tryAgain", "Try again"]), icon: "scan", run });

function statusOf(thrown: unknown): number | undefined {
  return (thrown as Partial<ApiError> | undefined)?.status;
}

function mayHelp(thrown: unknown): boolean {
  const status = statusOf(thrown);
  return !isAway(thrown) && status !== 403 && status !== 404;
}

function wording(thrown: unknown): Notice {
  if (isAway(thrown))
    return {
      drawing: "plug",
      heading: t(["kit:switchedOff", "This part is switched off"]),
      text: t(["kit:switchedOffText", "The plugin behind it does not run."]),
    };
  switch (statusOf(thrown)) {
    case 0:
      return {
        drawing: "cloud",
        heading: t(["kit:unreachable", "The server cannot be reached"]),
        text: messageOf(thrown),
      };
    case 403:
      return { drawing: "lock", heading: t(["kit:noAccess", "You do not have access"]), text: messageOf(thrown) };
    case 404:
      return { drawing: "search", heading: t(["kit:notFound", "Not found"]), text: messageOf(thrown) };
    default:
      return { drawing: "torn", heading: t(["kit:didNotWork", "That did not work"]), text: messageOf(thrown) };
  }
}
