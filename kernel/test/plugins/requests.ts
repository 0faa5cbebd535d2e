/** Plain requests to a program's port. */
export function httpClient(url: string, headers: Record<string, string>) {
  const call = async (method: string, path: string, body?: unknown, limitMs = 20_000) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      signal: AbortSignal.timeout(limitMs),
      ...sent,
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text,
    };
  };
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body: unknown = {}) => call("POST", path, body),
  };
}
