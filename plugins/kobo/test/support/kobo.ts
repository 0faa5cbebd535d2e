/**
 * Sends requests as a Kobo does, to the `api_endpoint` of its configuration, and keeps what it is told as its library.
 */
export class Kobo {
  /** As the device keeps it between synchronisations. */
  syncToken: string | undefined;
  readonly endpoint: string;
  readonly books = new Map<string, KoboBook>();
  #apiToken = "";
  #resources: Record<string, string> = {};

  /** @param endpoint - `http://server/kobo/TOKEN` */
  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  async call(method: string, address: string, { body, headers }: KoboCall = {}) {
    const answer = await fetch(address.startsWith("http") ? address : this.endpoint + address, {
      method,
      headers: {
        "user-agent":
          "Mozilla/5.0 (Linux; U; Android 2.0; en-us;) AppleWebKit/538.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/538.1 (Kobo Touch 0390/4.38.23171)",
        "x-kobo-devicemodel": "Kobo Clara 2E",
        "x-kobo-deviceos": "4.1.15",
        "x-kobo-affiliatename": "Kobo",
        "x-kobo-appversion": "4.38.23171",
        "x-kobo-apitoken": this.#apiToken,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? await answer.json() : Buffer.from(await answer.arrayBuffer())) as any,
    };
  }

  /** What happens when the device is switched on. */
  async start(): Promise<Record<string, string>> {
    const { status, body, headers } = await this.call("GET", "/v1/initialization");
    if (status !== 200) throw new Error(`initialization is ${status}`);
    this.#apiToken = headers.get("x-kobo-apitoken") ?? "";
    this.#resources = body.Resources;
    await this.call("POST", this.#resources["device_auth"]!, {
      body: {
        AffiliateName: "Kobo",
        AppVersion: "4.38.23171",
        ClientKey: "ZGV2",
        DeviceId: "d1",
        PlatformId: "37",
        UserKey: "u1",
      },
    });
    return this.#resources;
  }

  /** Synchronises as long as the server says that more is left. @returns the kinds and ids of all items, in order */
  async sync(): Promise<string[]> {
    const told: string[] = [];
    for (let continues = true; continues;) {
      const { items, token, more } = await this.ask();
      for (const item of items) told.push(this.#apply(item));
      this.syncToken = token;
      continues = more;
    }
    return told;
  }

  /** One part of a synchronisation, which the device can still lose. */
  async ask() {
    const { status, body, headers } = await this.call(
      "GET",
      "/v1/library/sync?Filter=ALL&DownloadUrlFilter=Generic,Android&PrioritizeRecentReads=true",
      {
        headers: this.syncToken === undefined ? {} : { "x-kobo-synctoken": this.syncToken },
      },
    );
    if (status !== 200) throw new Error(`The synchronisation is ${status}: ${JSON.stringify(body)}`);
    const token = headers.get("x-kobo-synctoken") ?? "";
    return { items: body as any[], token, more: headers.get("x-kobo-sync") === "continue" };
  }

  #apply(item: any): string {
    const [kind = ""] = Object.keys(item);
    const { BookEntitlement: entitlement, BookMetadata: metadata, ReadingState: state } = item[kind];
    const id = entitlement?.Id ?? state.EntitlementId;
    if (entitlement?.IsRemoved) this.books.delete(id);
    else if (kind === "ChangedReadingState") this.books.set(id, { ...this.books.get(id)!, state });
    else this.books.set(id, { metadata, state });
    return `${entitlement?.IsRemoved ? "Removed" : kind} ${metadata?.Title ?? id}`;
  }

  idOf(title: string): string {
    const found = [...this.books].find(([, { metadata }]) => metadata.Title === title);
    if (!found) throw new Error(`The e-reader has no ${title}.`);
    return found[0];
  }

  /** Reports as the device does when a book is closed. @param at - its clock, ISO 8601 */
  async read(id: string, percent: number, { status = "Reading", at = new Date().toISOString() } = {}) {
    const LastModified = `${at.slice(0, 19)}Z`;
    return this.call("PUT", `/v1/library/${id}/state`, {
      body: {
        ReadingStates: [
          {
            EntitlementId: id,
            LastModified,
            CurrentBookmark: {
              ContentSourceProgressPercent: 40,
              LastModified,
              Location: { Source: "OEBPS/one.xhtml", Type: "KoboSpan", Value: `kobo.${percent}.1` },
              ProgressPercent: percent,
            },
            Statistics: { LastModified, RemainingTimeMinutes: 12, SpentReadingMinutes: 3 },
            StatusInfo: { LastModified, Status: status },
          },
        ],
      },
    });
  }
}

interface KoboCall {
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface KoboBook {
  readonly metadata: any;
  readonly state: any;
}
