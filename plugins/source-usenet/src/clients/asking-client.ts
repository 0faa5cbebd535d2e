import type { Resting } from "@longbox/downloads/contract";
import { UpstreamFailure, type Answer, type OutgoingHost, type PluginContext } from "@longbox/sdk";
import type { z } from "zod";
import { clientKinds, isWebAddress, type ClientEntry } from "../settings.js";

const answerBytes = 16 * 1024 * 1024;
const timeoutMs = 30_000;

interface ClientRequest {
  /** Below the address in the settings, such as `/api`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | FormData;
  readonly signal?: AbortSignal | undefined;
}

/** Asks one download client, by requests with a body: keys stand in no address. */
export class AskingClient {
  constructor(
    private readonly context: Pick<PluginContext, "host" | "parseJson">,
    readonly entry: ClientEntry,
  ) {}

  get program(): string {
    return clientKinds[this.entry.kind];
  }

  get host(): OutgoingHost {
    return this.context.host(this.entry.url);
  }

  async resting(): Promise<Resting | undefined> {
    return isWebAddress(this.entry.url) ? this.host.state().resting : undefined;
  }

  /** @throws {UpstreamFailure} with a sentence for a person */
  async post<S extends z.ZodType>(
    { path, body, headers = {}, signal }: ClientRequest,
    schema: S,
  ): Promise<z.output<S>> {
    const url = new URL(this.entry.url);
    url.search = "";
    if (!url.pathname.endsWith(path)) url.pathname = `${url.pathname.replace(/\/+$/u, "")}${path}`;
    const answer = await this.host.fetch(url, {
      method: "POST",
      body,
      headers,
      redirects: 0,
      maxBytes: answerBytes,
      timeoutMs,
      ...(signal && { signal }),
    });
    return this.#read(answer, schema);
  }

  async #read<S extends z.ZodType>(answer: Answer, schema: S): Promise<z.output<S>> {
    const text = await answer.text();
    if (answer.status === 401 || answer.status === 403)
      throw new UpstreamFailure("source-usenet/client-refuses", this.#refusal(text));
    if (!answer.ok)
      throw new UpstreamFailure("source-usenet/client-failed", `${this.program} answered ${answer.status}.`);
    if (text.trimStart().startsWith("<"))
      throw new UpstreamFailure(
        "source-usenet/not-a-client",
        `The answer is a web page. Check the address: it has to be that of ${this.program}.`,
      );
    try {
      return await this.context.parseJson(text, schema);
    } catch (cause) {
      const message = `The answer cannot be read. Check that the program at this address is ${this.program}.`;
      throw new UpstreamFailure("source-usenet/not-a-client", message, undefined, { cause });
    }
  }

  #refusal(text: string): string {
    if (this.entry.kind === "nzbget") return "NZBGet refuses the user and the password.";
    return /required/iu.test(text) && this.entry.apiKey === ""
      ? "SABnzbd needs its API key: it stands in SABnzbd's settings under General."
      : "SABnzbd refuses the API key.";
  }
}
