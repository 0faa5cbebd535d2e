import type { HealthCheck } from "@longbox/operations/contract";
import type { Trouble } from "./asking/trouble.js";

const link = { label: "Open the settings", path: "/settings#open-library" };

/** Whether Open Library answered the last request. The check makes no request. */
export function openLibraryHealth(trouble: Trouble): HealthCheck {
  const finding = { id: "open-library", title: "Open Library" };
  return {
    async check() {
      const { text } = trouble;
      if (text === undefined)
        return [{ ...finding, level: "ok", advice: "Open Library answers, or no request was made yet." }];
      const advice = `${text} Check the address and the contact in the settings of Open Library.`;
      return [{ ...finding, level: "warning", advice, link }];
    },
  };
}
