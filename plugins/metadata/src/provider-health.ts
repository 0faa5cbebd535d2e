import type { HealthCheck } from "@longbox/operations/contract";
import type { Breaker } from "./source/breaker.js";

/** Whether the provider answered when it was asked last. Nothing is asked for the sake of the check. */
export function providerHealth(breaker: Breaker): HealthCheck {
  const finding = { id: "metadata-provider", title: "Metadata provider" };
  return {
    async check() {
      const { trouble } = breaker;
      if (trouble === undefined) return [{ ...finding, level: "ok", advice: "The provider answers, or was not asked yet." }];
      return [{ ...finding, level: "warning", advice: `${trouble} Check the address and the key in the settings of Metadata; what is kept goes on being shown.` }];
    },
  };
}
