import type * as Undici from "undici";

/** The one door to other servers. undici is loaded when somebody first goes out, since starting does not need it. */
let undici: Promise<typeof Undici> | undefined;

function load(): Promise<typeof Undici> {
  undici ??= import("undici");
  return undici;
}

/** The standard `fetch`, ended when `signal` aborts. */
export function fetchUntil(signal: AbortSignal): typeof fetch {
  return (async (input: string | URL | Request, init: RequestInit = {}) => {
    const { fetch, FormData } = await load();
    const request = input instanceof Request ? fromRequest(input, init) : { url: input, init };
    const signals = [signal, ...(request.init.signal ? [request.init.signal] : [])];
    const body = request.init.body instanceof globalThis.FormData ? copyForm(request.init.body, new FormData()) : request.init.body;
    return fetch(request.url, { ...request.init, body, signal: AbortSignal.any(signals) } as unknown as Undici.RequestInit);
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
