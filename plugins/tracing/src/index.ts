import { HealthChecks } from "@longbox/operations/contract";
import { definePlugin, defineRoute, KernelInspection, KernelTraces, settingTestResult, type Route } from "@longbox/sdk";
import type { PluginSettings, Releasable } from "@longbox/sdk";
import { Exporter } from "./exporting.js";
import { collectorHealth } from "./health.js";
import { tracingSettings, type TracingSettings } from "./settings.js";

export default definePlugin({
  requires: { traces: KernelTraces, kernel: KernelInspection },
  settings: tracingSettings,
  async activate({ traces, kernel }, context) {
    const { fetch, log, settings, signal } = context;
    const { version } = await kernel.runtime();
    const exporter = new Exporter({ fetch, log, settings, version, stopping: signal });
    let followed: Releasable | undefined;
    const follow = async () => {
      await followed?.release();
      const { address, share } = settings.current;
      followed =
        address === "" || share === 0
          ? undefined
          : traces.onSpans(({ spans, dropped }) => exporter.deliver(spans, dropped), { share: share / 100 });
    };
    await follow();
    context.own(settings.onChange(() => void follow()));
    context.own({ release: () => followed?.release() });
    context.contribute(HealthChecks, collectorHealth(exporter, settings));
    context.routes([testRoute(exporter, settings)]);
  },
});

function testRoute(exporter: Exporter, settings: PluginSettings<TracingSettings>): Route {
  return defineRoute({
    method: "POST",
    path: "/api/tracing/test",
    access: "settings.manage",
    summary: "Try the collector, also with values that are not saved yet",
    description: "Sends a trace without spans. Without a body, the saved values are tried.",
    body: tracingSettings.optional(),
    response: settingTestResult,
    async handle({ body }) {
      const values = body === undefined ? settings.current : settings.unmasked(body);
      if (values.address === "") return { ok: false, message: "Enter the address of the collector first." };
      try {
        await exporter.send([], values);
        return { ok: true, message: "The collector takes traces." };
      } catch (fault) {
        return { ok: false, message: fault instanceof Error ? fault.message : String(fault) };
      }
    },
  });
}
