import { UnreadFailures } from "@longbox/kernel/testing";

/** Plain requests to a program's port; `failures` remembers those that failed and were not looked at. */
export function httpClient(url: string, headers: Record<string, string>, failures = new UnreadFailures()) {
  const call = async (method: string, path: string, body?: unknown, limitMs = 20_000) => {
    const from = new Error();
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      signal: AbortSignal.timeout(limitMs),
      ...sent,
    });
    const text = await answer.text();
    const { status } = answer;
    const read = answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
    const bytes = Buffer.from(text);
    return failures.watch(
      { status, headers: answer.headers, bytes, body: read },
      { request: `${method} ${path}`, from },
    );
  };
  return {
    failures,
    get: (path: string) => call("GET", path),
    post: (path: string, body: unknown = {}, limitMs?: number) => call("POST", path, body, limitMs),
  };
}
