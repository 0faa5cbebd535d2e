import type { HealthCheck } from "@longbox/operations/contract";
import type { PluginSettings } from "@longbox/sdk";
import type { Exporter } from "./exporting.js";
import type { TracingSettings } from "./settings.js";

/** Whether the collector took what was sent last. The check sends nothing. */
export function collectorHealth(exporter: Exporter, settings: PluginSettings<TracingSettings>): HealthCheck {
  const finding = { id: "tracing", title: "Traces" };
  const link = { label: "Open the settings", path: "/settings#tracing" };
  return {
    async check() {
      if (settings.current.address === "")
        return [{ ...finding, level: "ok", advice: "Nothing is traced: no collector is set.", link }];
      if (exporter.trouble === undefined)
        return [{ ...finding, level: "ok", advice: "The collector takes traces.", link }];
      const advice = `Traces are lost: ${exporter.trouble} Check the address and the headers of the collector.`;
      return [{ ...finding, level: "warning", advice, link }];
    },
  };
}
