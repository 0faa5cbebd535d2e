import type { Answer, PluginContext, UpstreamFailure } from "@longbox/sdk";
import type { ClientEntry } from "../settings.js";
import { failed } from "./client-failure.js";

const patienceMs = 20_000;
/** After a refused password: qBittorrent bans addresses that try several. */
const refusedForMs = 5 * 60_000;

export interface QbittorrentRequest {
  readonly query?: Readonly<Record<string, string>>;
  /** Sent with POST; without it the request is a GET. */
  readonly form?: FormData | URLSearchParams;
  readonly signal?: AbortSignal;
}

/** Signs in to the web API of qBittorrent, and again when the session has ended. */
export class QbittorrentSession {
  #cookie: string | undefined;
  #refused: { readonly failure: UpstreamFailure; readonly at: number } | undefined;

  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly entry: ClientEntry,
  ) {}

  /**
   * @param method - Of the API, such as `torrents/info`
   * @throws {UpstreamFailure} with a sentence for a person, also when the name and password are refused
   */
  async ask(method: string, request: QbittorrentRequest = {}): Promise<Answer> {
    const answer = await this.#send(method, request);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    await answer.body?.cancel();
    await this.#signIn(request.signal);
    const second = await this.#send(method, request);
    if (second.status !== 401 && second.status !== 403) return second;
    await second.body?.cancel();
    throw failed(
      "It refuses the request, although the name and password are right. Check its web interface's options.",
    );
  }

  async #signIn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#refused && Date.now() - this.#refused.at < refusedForMs) throw this.#refused.failure;
    const { username, password } = this.entry;
    if (username === "") throw this.#refuse(failed("qBittorrent requires a user name and password."));
    const form = new URLSearchParams({ username, password });
    const answer = await this.#send("auth/login", { form, ...(signal && { signal }) });
    const problem = await refusalIn(answer);
    if (problem) throw this.#refuse(problem);
    this.#refused = undefined;
    // The name of the cookie depends on the version.
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0]!)
      .join("; ");
  }

  #refuse(failure: UpstreamFailure): UpstreamFailure {
    this.#refused = { failure, at: Date.now() };
    return failure;
  }

  async #send(method: string, { query = {}, form, signal }: QbittorrentRequest): Promise<Answer> {
    const url = new URL(`${this.entry.url.replace(/\/+$/u, "")}/api/v2/${method}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return this.context.host(url).fetch(url, {
      timeoutMs: patienceMs,
      redirects: 0,
      ...(signal && { signal }),
      ...(form && { method: "POST", body: form }),
      ...(this.#cookie !== undefined && { headers: { cookie: this.#cookie } }),
    });
  }
}

async function refusalIn(answer: Answer): Promise<UpstreamFailure | undefined> {
  const text = await answer.text();
  if (answer.status === 403)
    return failed(
      "It has banned the address of this server after too many wrong passwords. Wait an hour or restart it, and check the password.",
    );
  if (answer.status === 401 || /^Fails/u.test(text)) return failed("qBittorrent rejected the user name or password.");
  if (answer.status === 204 || /^Ok/u.test(text)) return undefined;
  return failed(
    /^\s*</u.test(text)
      ? "The server at this address is not qBittorrent. Check the address."
      : `It answers ${answer.status} to signing in. Check that qBittorrent is at this address.`,
  );
}
