import type { HealthCheck } from "@longbox/operations/contract";
import type { MetadataSettings } from "./settings.js";
import type { ProviderTrouble } from "./source/trouble.js";

const link = { label: "Open the settings", path: "/settings#metadata" };
const noKey = {
  level: "warning",
  advice:
    "There is no key for Comic Vine yet: series cannot be matched and described. Get one there, and enter it in the settings.",
  link,
} as const;

/** Whether the provider answered the last request. The check makes no request. */
export function providerHealth(
  trouble: ProviderTrouble,
  settings: { readonly current: Pick<MetadataSettings, "source" | "apiKey"> },
): HealthCheck {
  const finding = { id: "metadata-provider", title: "Metadata provider" };
  return {
    async check() {
      const { text } = trouble;
      const { source, apiKey } = settings.current;
      if (source === "comicvine" && apiKey === "") return [{ ...finding, ...noKey }];
      if (text === undefined)
        return [{ ...finding, level: "ok", advice: "The provider answers, or no request was made yet." }];
      return [
        {
          ...finding,
          level: "warning",
          link,
          advice: `${text} Check the address and the key in the settings of Metadata. Stored metadata is still shown.`,
        },
      ];
    },
  };
}
