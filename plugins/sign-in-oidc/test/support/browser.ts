import type { KernelTestHost } from "@longbox/kernel/testing";

/** Follows redirects as a browser does, with the cookies of every server. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** @param headers - what a proxy in front of the server adds to every request */
  constructor(
    private readonly host: KernelTestHost,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** One request, without following a redirect. */
  async visit(address: string, options: { body?: unknown; method?: string } = {}) {
    const url = new URL(address, this.host.url);
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const answer = await fetch(url, {
      redirect: "manual",
      method: options.method ?? (options.body ? "POST" : "GET"),
      headers: {
        accept: "application/json",
        ...this.headers,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(options.body !== undefined && { "content-type": "application/json" }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get("location");
    return {
      status: answer.status,
      location: location === null ? undefined : new URL(location, url).href,
      body: text.startsWith("{") ? JSON.parse(text) : text,
    };
  }

  /** Until something other than a redirect, or the given address, comes. @returns the last answer, and all addresses */
  async follow(address: string, until: (url: string) => boolean = () => false) {
    const trail = [new URL(address, this.host.url).href];
    for (let hop = 0; hop < 15; hop++) {
      const answer = await this.visit(trail.at(-1)!);
      if (answer.location === undefined) return { ...answer, trail };
      trail.push(answer.location);
      if (until(answer.location)) return { ...answer, trail };
    }
    throw new Error(`There is no end to the redirects: ${trail.join(" ")}`);
  }

  me = async () => (await this.visit("/api/auth/me")).body.user;
}

/** A server with an account, at which providers are configured. */
export async function setUp(host: KernelTestHost, providers: readonly object[]): Promise<void> {
  const answer = await host.as("admin").post("/api/settings", { "sign-in-oidc": { providers } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}
