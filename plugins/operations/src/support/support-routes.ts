import { defineRoute, LongboxError, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { SupportPackage, SupportPackageOptions } from "./support-package.js";
import { uploadAnswerSchema, type SupportService, type UploadAnswer } from "./support-service.js";

const mobileReportSchema = z.record(z.string(), z.json()).meta({ description: "Whatever the app can say of itself" });

/** The support package: to download, to send, and with a mobile app's report inside. */
export function supportRoutes(support: SupportPackage, service: SupportService): Route[] {
  const send = async (options: SupportPackageOptions): Promise<UploadAnswer> =>
    service.send(await collect(support, options, service.limitBytes));
  return [
    defineRoute({
      method: "GET",
      path: "/api/support/package",
      access: "settings.manage",
      summary: "The support package",
      responseType: "application/zip",
      handle() {
        const name = `longbox-support-${new Date().toISOString().slice(0, 10)}.zip`;
        return reply.content(
          { kind: "stream", stream: support.open({ full: true }), contentType: "application/zip" },
          { downloadName: name },
        );
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/support/send",
      access: "settings.manage",
      summary: "Send the support package to the support service",
      body: z.object({ note: z.string().max(10_000).optional() }).default({}),
      response: uploadAnswerSchema,
      handle: ({ body }) => send({ full: true, ...(body.note && { extra: { note: { note: body.note } } }) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/support/mobile",
      access: "library.view",
      summary: "Send a mobile app's report: with everything for admins, without the server's own for others",
      body: mobileReportSchema,
      response: uploadAnswerSchema,
      handle: ({ body, viewer }) => send({ full: viewer.may("settings.manage"), extra: { mobile: body } }),
    }),
  ];
}

async function collect(
  support: SupportPackage,
  options: SupportPackageOptions,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await support.collect(options, limitBytes);
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    throw new LongboxError(
      "too-large",
      "operations/support-package-too-large",
      `${fault.message} Download it instead, or raise operations.supportLimitMegabytes.`,
    );
  }
}
