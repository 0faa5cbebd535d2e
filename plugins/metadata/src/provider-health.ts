import type { HealthCheck } from "@longbox/operations/contract";
import type { ProviderTrouble } from "./source/trouble.js";

/** Whether the provider answered when it was asked last. Nothing is asked for the sake of the check. */
export function providerHealth(trouble: ProviderTrouble): HealthCheck {
  const finding = { id: "metadata-provider", title: "Metadata provider" };
  return {
    async check() {
      const { text } = trouble;
      if (text === undefined)
        return [{ ...finding, level: "ok", advice: "The provider answers, or was not asked yet." }];
      return [
        {
          ...finding,
          level: "warning",
          advice: `${text} Check the address and the key in the settings of Metadata; what is kept goes on being shown.`,
        },
      ];
    },
  };
}
