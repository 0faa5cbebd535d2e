import { joinSignals } from "@longbox/sdk";
import type * as Undici from "undici";

/** The one door to other servers. undici is loaded when somebody first goes out, since starting does not need it. */
let undici: Promise<typeof Undici> | undefined;

function load(): Promise<typeof Undici> {
  undici ??= import("undici");
  return undici;
}

/** Lets go of what an answer followed once its body is gone: read to its end, given up, or never looked at. */
const bodies = new FinalizationRegistry<() => void>((release) => release());

/** The standard `fetch`, ended when `signal` aborts. */
export function fetchUntil(signal: AbortSignal): typeof fetch {
  return (async (input: string | URL | Request, init: RequestInit = {}) => {
    const { fetch, FormData } = await load();
    const request = input instanceof Request ? fromRequest(input, init) : { url: input, init };
    const body = request.init.body instanceof globalThis.FormData ? copyForm(request.init.body, new FormData()) : request.init.body;
    const joined = joinSignals(signal, request.init.signal ?? undefined);
    try {
      const answer = await fetch(request.url, { ...request.init, body, signal: joined.signal } as unknown as Undici.RequestInit);
      if (answer.body) bodies.register(answer.body, joined.release);
      else joined.release();
      return answer;
    } catch (failure) {
      joined.release();
      throw failure;
    }
  }) as unknown as typeof fetch;
}

function fromRequest(request: Request, init: RequestInit): { url: string; init: RequestInit } {
  const own = { method: request.method, headers: request.headers, body: request.body, redirect: request.redirect, signal: request.signal, duplex: "half" };
  return { url: request.url, init: { ...own, ...init } as RequestInit };
}

function copyForm(form: globalThis.FormData, copy: Undici.FormData): Undici.FormData {
  for (const [name, value] of form) copy.append(name, value as never);
  return copy;
}
