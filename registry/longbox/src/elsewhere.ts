import { Readable } from "node:stream";

/** What the registry behind answered; JSON as text, everything else as a stream. */
export interface ElsewhereAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Readable;
}

const answerMs = 30_000;
const searchMs = 5_000;
const keysPath = "-/npm/v1/keys";
const json = "application/json";

/** The registry behind the carried packages. It is not asked for anything before a package of it is. */
export class Elsewhere {
  readonly #find: () => Promise<string>;
  #url: Promise<string> | undefined;
  /** Its keys sign no carried package. They count once a package comes from there. */
  #isUsed = false;

  constructor(find: () => Promise<string>) {
    this.#find = find;
  }

  /** @param own - the address under which the answer is passed on: links to the registry behind then lead there */
  async get(path: string, own: string): Promise<ElsewhereAnswer> {
    if (path === keysPath && !this.#isUsed) return { status: 404, contentType: json, body: "{}" };
    try {
      const url = await this.#address();
      const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(answerMs) });
      const contentType = answer.headers.get("content-type") ?? "application/octet-stream";
      if (path !== keysPath) this.#isUsed ||= answer.ok;
      if (contentType.includes("json"))
        return { status: answer.status, contentType, body: (await answer.text()).replaceAll(url, own) };
      const body = answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body as never);
      return { status: answer.status, contentType, body };
    } catch {
      return { status: 504, contentType: json, body: `{"error":"The registry behind does not answer."}` };
    }
  }

  /** What it finds; nothing when it does not answer in time. */
  async search(path: string): Promise<unknown[]> {
    try {
      const answer = await fetch(new URL(path, await this.#address()), { signal: AbortSignal.timeout(searchMs) });
      const { objects } = (await answer.json()) as { objects?: unknown };
      return answer.ok && Array.isArray(objects) ? objects : [];
    } catch {
      return [];
    }
  }

  #address(): Promise<string> {
    this.#url ??= this.#find();
    return this.#url;
  }
}
