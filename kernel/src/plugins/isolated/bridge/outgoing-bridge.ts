import { Readable } from "node:stream";
import type { FetchOptions, HostLimits, HostRequest, OutgoingHost, PluginContext } from "@longbox/sdk";
import type { ToldAnswer, ToldFetch } from "../child/outgoing.js";
import type { Doors } from "../wire/channel.js";

interface MeantHost {
  readonly url: string;
  readonly limits: HostLimits;
}

interface OutgoingParts {
  readonly context: Pick<PluginContext, "fetch" | "host" | "settings">;
  /** The hosts that the manifest names. */
  readonly hosts: readonly string[] | undefined;
}

/**
 * Requests of an isolated plugin to other servers. Those that an administrator has named, in accepting the manifest or
 * in the plugin's settings, may be anywhere; all others must have a public address.
 */
export class OutgoingBridge {
  constructor(private readonly parts: OutgoingParts) {}

  readonly doors: Doors = {
    fetch: async (told: ToldFetch) => answerOf(await this.parts.context.fetch(told.url, this.#options(told))),
    host: (meant: MeantHost, method: string, ...given: unknown[]) => this.#host(meant, method, given),
  };

  async #host({ url, limits }: MeantHost, method: string, given: readonly unknown[]): Promise<unknown> {
    const host = this.parts.context.host(url, limits);
    const [first, second] = given;
    if (method === "state") return host.state();
    if (method === "reset") return host.reset();
    if (method === "run") return host.run(first as () => Promise<unknown>, second as HostRequest);
    const told = first as ToldFetch;
    if (method === "fetch") return answerOf(await host.fetch(told.url, this.#options(told)));
    return this.#stream(host, told);
  }

  async #stream(host: OutgoingHost, told: ToldFetch): Promise<ToldAnswer & { discard(): Promise<void> }> {
    const { body: _, method: __, headers, ...options } = this.#options(told);
    const answer = await host.stream(told.url, {
      ...options,
      headers: Object.fromEntries(headers as Headers),
    } as object);
    const { status, url } = answer;
    const head = { status, statusText: "", url, redirected: url !== told.url, headers: answer.headers };
    return { ...head, body: answer.chunks(), discard: async () => answer.discard() };
  }

  #options({ url, method, headers, body, options, signal }: ToldFetch): FetchOptions {
    const isOpen = this.#isNamed(new URL(url));
    return {
      ...(options as FetchOptions),
      method,
      headers,
      ...(body !== undefined && { body: Buffer.from(body) }),
      ...(signal !== undefined && { signal }),
      ...(!isOpen && { publicOnly: true }),
    };
  }

  #isNamed({ hostname, host }: URL): boolean {
    if (this.parts.hosts?.includes(hostname)) return true;
    return addressesIn(this.parts.context.settings.current).has(host);
  }
}

/** The hosts of all addresses in the settings. */
function addressesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === "string" && URL.canParse(value)) found.add(new URL(value).host);
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) addressesIn(each, found);
  return found;
}

function answerOf(answer: Response): ToldAnswer {
  const { status, statusText, url, redirected, headers, body } = answer;
  // The types of streams of the web are declared twice, by Node and by the library of the DOM.
  const chunks = body === null ? undefined : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  return { status, statusText, url, redirected, headers, body: chunks };
}
