import { z } from "zod";
import { isLongboxError, type Fetch, type StoredDocument } from "@longbox/sdk";
import { ProviderFailure } from "../upstream-errors.js";

export const instanceSchema = z
  .object({ baseUrl: z.string().default(""), key: z.string().default("") })
  .default({ baseUrl: "", key: "" });
export type Instance = z.output<typeof instanceSchema>;
const answerSchema = z.object({ key: z.string().min(1).max(1000) });

/** The key of this server at a hosted source: requested once, and stored with the address of the source. */
export class Registration {
  readonly #fetch: Fetch;
  readonly #document: StoredDocument<Instance>;

  constructor(fetch: Fetch, document: StoredDocument<Instance>) {
    this.#fetch = fetch;
    this.#document = document;
  }

  keyFor(baseUrl: string): string {
    const kept = this.#document.read();
    return kept.baseUrl === baseUrl ? kept.key : "";
  }

  /** @throws {UpstreamFailure} when the source gives no key */
  async register(baseUrl: string): Promise<void> {
    const { key } = await this.#ask(baseUrl);
    await this.#document.update(() => ({ baseUrl, key }));
  }

  async #ask(baseUrl: string): Promise<z.output<typeof answerSchema>> {
    try {
      const response = await this.#fetch(`${baseUrl.replace(/\/+$/, "")}/instances`, {
        method: "POST",
        headers: { accept: "application/json" },
        maxBytes: 64 * 1024,
        timeoutMs: 15_000,
      });
      if (!response.ok) throw new ProviderFailure(`The source answers ${response.status} to the registration.`);
      return await response.json(answerSchema);
    } catch (fault) {
      if (fault instanceof ProviderFailure) throw fault;
      if (isLongboxError(fault) && fault.code === "kernel/answer-unreadable")
        throw new ProviderFailure("The source answers the registration without a key.", { cause: fault });
      throw new ProviderFailure("The source cannot be reached for the registration.", { cause: fault });
    }
  }
}
