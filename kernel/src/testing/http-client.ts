import type { TestAnswer, TestClient } from "@longbox/sdk/testing";
import type { UnreadFailures } from "./unread-failures.js";

export interface HttpClientOptions {
  readonly base: () => string;
  /** Makes the key at the first call, or finds it. */
  readonly makeKey: () => Promise<string | undefined>;
  readonly key: () => string | undefined;
  readonly allowUnknownFields: boolean;
  readonly failures: UnreadFailures;
  /** Called with every answer. @throws {Error} when it is not what the route promises */
  readonly check: (answered: Answered) => void;
}

/** An answer, and what was asked for. */
export interface Answered extends TestAnswer {
  readonly method: string;
  readonly path: string;
}

/** Calls a server with a key, which may still have to be made. */
export function httpClient(options: HttpClientOptions): TestClient {
  const { base, makeKey, key, allowUnknownFields, failures, check } = options;
  const call = async (
    method: string,
    path: string,
    { body: given, headers = {} }: { body?: unknown; headers?: Record<string, string> | undefined },
  ): Promise<TestAnswer> => {
    const from = new Error();
    const own = await makeKey();
    const authorization: Record<string, string> = own === undefined ? {} : { "x-api-key": own };
    const sent = encode(given);
    const answer = await fetch(base() + path, {
      method,
      headers: { ...authorization, ...sent.headers, ...headers },
      redirect: "manual",
      ...(sent.body === undefined ? {} : { body: sent.body }),
    });
    const unknown = answer.headers.get("x-unknown-fields");
    if (unknown !== null && !allowUnknownFields)
      throw new Error(`${method} ${path} was sent fields that the server does not know: ${unknown}.`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const body = decode(answer.headers.get("content-type") ?? "", bytes);
    const { status } = answer;
    check({ method, path, status, headers: answer.headers, bytes, body });
    return failures.watch(
      { status, headers: answer.headers, bytes, body },
      { request: `${method} ${path}`, key: own, from },
    );
  };
  return {
    get key() {
      return key();
    },
    get: (path, headers) => call("GET", path, { headers }),
    post: (path, body, headers) => call("POST", path, { body, headers }),
    put: (path, body, headers) => call("PUT", path, { body, headers }),
    patch: (path, body, headers) => call("PATCH", path, { body, headers }),
    delete: (path, headers) => call("DELETE", path, { headers }),
  };
}

function encode(body: unknown): { body?: string | Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array)
    return { body: body as Uint8Array<ArrayBuffer>, headers: { "content-type": "application/octet-stream" } };
  if (typeof body === "string") return { body, headers: { "content-type": "text/plain" } };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

function decode(contentType: string, bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return /[/+]json\b/.test(contentType) && text !== "" ? JSON.parse(text) : text;
}
