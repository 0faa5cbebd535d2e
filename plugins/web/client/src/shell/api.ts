import { addressOf, t } from "@longbox/sdk/ui";
import type { ApiError, ClientListPage } from "@longbox/sdk/client";
import { textsPath } from "./saying/server-texts.js";

export interface CallOptions {
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** An error response, or none at all (`status` 0). The message is a sentence for the user. */
export class ApiFailure extends Error implements ApiError {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown;

  constructor(message: string, { status, code, details }: Omit<ApiError, keyof Error>) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** The server's message for one field of the form, if there is one. */
  field(name: string): string | undefined {
    const details = this.details;
    if (typeof details !== "object" || details === null) return undefined;
    const text = (details as Record<string, unknown>)[name];
    return typeof text === "string" ? text : undefined;
  }
}

/** The UI requests only paths that exist, so a 404 of the router means that the plugin is missing. */
const noSuchPath = "kernel/no-such-path";

/** All requests from the browser to the server go through this class. */
export class Api {
  /** Called when the session is no longer valid. */
  onSignedOut: () => void = () => undefined;
  /** The message of an error in the language of the document, where it has one. */
  messageOf: (code: string, details: unknown) => string | undefined = () => undefined;
  /** A text of the server in the language of the document; the text itself where it has no translation. */
  said: (text: string) => string = (text) => text;
  /** Resolves when the texts of the language are there, as far as they can be had now. */
  textsLoaded: () => Promise<unknown> = () => Promise.resolve();
  #underWay = 0;

  /** Whether requests are pending. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  async call<T>(path: string, options: CallOptions = {}): Promise<T> {
    return this.#counted(async () => (await parse(await this.#fetch(path, options))) as T);
  }

  async list<T>(path: string, options: CallOptions = {}): Promise<ClientListPage<T>> {
    return this.#counted(async () => {
      const answer = await this.#fetch(path, options);
      const items = (await parse(answer)) as T[];
      const total = Number(answer.headers.get("X-Total-Count") ?? items.length);
      return { items, total };
    });
  }

  async #counted<T>(ask: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await ask();
    } finally {
      this.#underWay -= 1;
    }
  }

  #translated(failure: ApiFailure): ApiFailure {
    const { code, details, status } = failure;
    const message = (code === undefined ? undefined : this.messageOf(code, details)) ?? this.said(failure.message);
    return new ApiFailure(message, { status, code, details: this.#fieldsSaid(details) });
  }

  /** Details name fields with what is wrong with each. */
  #fieldsSaid(details: unknown): unknown {
    if (typeof details !== "object" || details === null || Array.isArray(details)) return details;
    return Object.fromEntries(
      Object.entries(details).map(([field, value]: [string, unknown]) => [
        field,
        typeof value === "string" && value.includes(" ") ? this.said(value) : value,
      ]),
    );
  }

  async #fetch(path: string, options: CallOptions): Promise<Response> {
    const answer = await fetch(addressOf(path), requestOf(options)).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause;
      throw new ApiFailure(t("api.theServerCannotBe"), {
        status: 0,
        code: "web/unreachable",
        details: undefined,
      });
    });
    refuseUnknownFields(`${options.method ?? "GET"} ${path}`, answer);
    if (answer.ok) return answer;
    const untranslated = await failureOf(answer);
    // The texts do not wait for themselves.
    if (!path.startsWith(textsPath)) await this.textsLoaded();
    const failure = this.#translated(untranslated);
    if (answer.status === 401 && !path.startsWith("/api/auth/login")) this.onSignedOut();
    throw failure;
  }
}

/**
 * The server took a request and left out fields that it does not know, so less was saved than the user sees. That is a
 * mistake of the client and never of the user, who could not mend it: tests fail, and otherwise the console tells.
 */
function refuseUnknownFields(request: string, answer: Response): void {
  const fields = answer.headers.get("X-Unknown-Fields");
  if (fields === null) return;
  const message = t("api.wasSentFieldsThat", { request, fields });
  console.error(message);
  // Browsers say so when a program drives them, as tests do.
  if (!navigator.webdriver) return;
  throw new ApiFailure(message, { status: answer.status, code: "web/unknown-fields", details: { fields } });
}

function requestOf(options: CallOptions): RequestInit {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  const request: RequestInit = { method: options.method ?? "GET", credentials: "same-origin", headers };
  if (options.signal) request.signal = options.signal;
  if (options.body instanceof Blob) {
    headers["Content-Type"] = options.body.type || "application/octet-stream";
    request.body = options.body;
  } else if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(options.body);
  }
  return request;
}

async function parse(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiFailure(t("api.theServerSentAn"), {
      status: answer.status,
      code: "web/not-json",
      details: undefined,
    });
  }
}

async function failureOf(answer: Response): Promise<ApiFailure> {
  // A proxy may answer with a page of its own; the status then says what there is to say.
  const body = (await parse(answer).catch(() => undefined)) as
    | { error?: unknown; code?: unknown; details?: unknown }
    | undefined;
  if (body?.code === noSuchPath)
    return new ApiFailure(t("api.thePluginThatThis"), {
      status: answer.status,
      code: noSuchPath,
      details: undefined,
    });
  const message = typeof body?.error === "string" ? body.error : t("api.theServerAnswered", { status: answer.status });
  const code = typeof body?.code === "string" ? body.code : undefined;
  return new ApiFailure(message, { status: answer.status, code, details: body?.details });
}
