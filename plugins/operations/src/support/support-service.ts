import { LongboxError, UpstreamFailure, type Answer, type Fetch, type PluginSettings } from "@longbox/sdk";
import { z } from "zod";
import type { OperationsSettings } from "../settings.js";

const uploadLimitMs = 60_000;
export const uploadAnswerSchema = z.object({
  code: z.string().min(1).max(200),
  expiresInDays: z.number().nonnegative(),
});
export type UploadAnswer = z.output<typeof uploadAnswerSchema>;

/** The hosted service that takes support packages: `POST <url>` with the ZIP, answered by `{ code, expiresInDays }`. */
export class SupportService {
  constructor(
    private readonly settings: PluginSettings<OperationsSettings>,
    private readonly fetcher: Fetch,
  ) {}

  get limitBytes(): number {
    return this.settings.current.supportLimitMegabytes * 1_000_000;
  }

  /**
   * @throws {LongboxError} `operations/no-support-service` (409) while no address is set
   * @throws {UpstreamFailure} `operations/support-service-failed` when it does not answer, or not as it should
   */
  async send(archive: Uint8Array<ArrayBuffer>): Promise<UploadAnswer> {
    const { supportUrl, supportKey } = this.settings.current;
    if (supportUrl === "")
      throw new LongboxError(
        "conflict",
        "operations/no-support-service",
        "No support service is set: fill in operations.supportUrl in the settings, or download the package.",
      );
    const answer = await this.#post(supportUrl, archive, supportKey);
    // An answer that cannot be read is treated as a failure below.
    const read = answer.ok ? await answer.json(uploadAnswerSchema).catch(() => undefined) : undefined;
    if (read === undefined) throw failed(`it answered ${answer.status}`);
    return read;
  }

  async #post(url: string, archive: Uint8Array<ArrayBuffer>, key: string): Promise<Answer> {
    try {
      const headers = { "Content-Type": "application/zip", ...(key !== "" && { Authorization: `Bearer ${key}` }) };
      return await this.fetcher(url, {
        method: "POST",
        body: archive,
        headers,
        timeoutMs: uploadLimitMs,
        maxBytes: 64 * 1024,
      });
    } catch (fault) {
      throw failed("it could not be reached", fault);
    }
  }
}

function failed(reason: string, cause?: unknown): UpstreamFailure {
  return new UpstreamFailure(
    "operations/support-service-failed",
    `The support service did not take the package: ${reason}.`,
    undefined,
    cause === undefined ? {} : { cause },
  );
}
