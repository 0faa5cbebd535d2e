import type { HealthCheck } from "@longbox/operations/contract";
import type { ProviderTrouble } from "./source/trouble.js";

/** Whether the provider answered the last request. The check makes no request. */
export function providerHealth(trouble: ProviderTrouble): HealthCheck {
  const finding = { id: "metadata-provider", title: "Metadata provider" };
  return {
    async check() {
      const { text } = trouble;
      if (text === undefined)
        return [{ ...finding, level: "ok", advice: "The provider answers, or no request was made yet." }];
      return [
        {
          ...finding,
          level: "warning",
          advice: `${text} Check the address and the key in the settings of Metadata. Stored metadata is still shown.`,
        },
      ];
    },
  };
}
