import { t } from "@longbox/sdk/ui";

/** A name for this browser, such as "Firefox on Linux". */
export function browserName(): string {
  const agent = navigator.userAgent;
  const browser = /(Firefox|Edg|Chrome|Safari)\//.exec(agent)?.[1]?.replace("Edg", "Edge") ?? t("browserName.browser");
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1] ?? t("browserName.thisDevice");
  return t("browserName.on", { browser, system });
}
