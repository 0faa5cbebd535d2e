import type { ApiError, LateReportsClient } from "@longbox/sdk/client";
import { basePath } from "@longbox/sdk/ui";
import type { Api } from "../shell/api.js";

type Report = Readonly<Record<string, unknown>>;
/** By the id of the user, then by path. */
type Kept = Readonly<Record<string, Readonly<Record<string, Report>>>>;

const key = `longbox.late-reports${basePath}`;
/** After a report was kept that its page could not send, and after an attempt without a connection. */
const againMs = 10_000;
/** Asking again would not change these answers. */
const refusals: readonly number[] = [400, 403, 404, 409, 422];

/** Reports that wait in this browser until the server has confirmed them. */
export class LateReports implements LateReportsClient {
  readonly #api: Api;
  readonly #userId: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param userId - of the user who is signed in; negative while none is */
  constructor(api: Api, userId: () => number) {
    this.#api = api;
    this.#userId = userId;
  }

  keep(path: string, body: Report): void {
    // The session has ended while a page was being left: what it reported before is kept for its user.
    if (this.#userId() < 0) return;
    this.#write({ ...this.#own, [path]: body });
    this.#sendLater();
  }

  find(path: string): Report | undefined {
    return this.#own[path];
  }

  forget(path: string, body: Report): void {
    const { [path]: kept, ...others } = this.#own;
    if (kept && JSON.stringify(kept) === JSON.stringify(body)) this.#write(others);
  }

  /** Sends all of the user's. Tries again later where there is no connection; what the server refuses is dropped. */
  async send(): Promise<void> {
    const user = this.#userId();
    for (const [path, body] of Object.entries(this.#own)) {
      if (user !== this.#userId()) return;
      try {
        await this.#api.call(path, { method: "POST", body });
      } catch (problem) {
        if (!refusals.includes((problem as Partial<ApiError>).status ?? 0)) return this.#sendLater();
      }
      this.forget(path, body);
    }
  }

  #sendLater(): void {
    clearTimeout(this.#timer);
    // Without a network there is nothing to try: the shell sends when the browser is online again.
    this.#timer = setTimeout(() => void (navigator.onLine && this.send()), againMs);
  }

  get #own(): Readonly<Record<string, Report>> {
    return readAll()[String(this.#userId())] ?? {};
  }

  #write(reports: Readonly<Record<string, Report>>): void {
    const { [String(this.#userId())]: _former, ...others } = readAll();
    const all = Object.keys(reports).length > 0 ? { ...others, [this.#userId()]: reports } : others;
    try {
      localStorage.setItem(key, JSON.stringify(all));
    } catch {
      // A browser without storage, or a full one: the report is sent while the page that made it is open.
    }
  }
}

function readAll(): Kept {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Kept;
  } catch {
    // Invalid content, or a browser without storage.
    return {};
  }
}
