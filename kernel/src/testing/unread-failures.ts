interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Sent {
  /** `POST /api/libraries`. */
  readonly request: string;
  /** The key of who sent it. */
  readonly key?: string | undefined;
  /** Made where the request was sent; its stack names the line of the test. */
  readonly from: Error;
}

/** Reading these shows nothing of a failure. */
const unwatched: ReadonlySet<string> = new Set(["headers", "bytes", "cookie"]);

/**
 * The failed answers (status 400 and above) of which a test has read neither the status nor a field of the body. A test
 * that prepares something by a request and ignores the answer would otherwise go on, and prove less than it says. A GET
 * that is asked again until it succeeds was waited for: what it answered before does not count.
 */
export class UnreadFailures {
  readonly #unread = new Map<Answer, { readonly sent: Sent; readonly text: string }>();

  /** The same answer, which is no longer remembered once its status, its text, or a field of its body was read. */
  watch<A extends Answer>(answer: A, sent: Sent): A {
    if (answer.status < 400) {
      if (sent.request.startsWith("GET ")) this.#forgetAll(sent);
      return answer;
    }
    const forget = () => void this.#unread.delete(watched);
    const body = isRecord(answer.body) ? { body: watchFields(answer.body, forget) } : {};
    const watched = watchFields({ ...answer, ...body }, forget, new Set([...unwatched, ...Object.keys(body)]));
    const what = `${sent.request} answered ${answer.status} ${JSON.stringify(answer.body)}`;
    this.#unread.set(watched, { sent, text: `${what}\n  ${lineOfTest(sent.from)}` });
    return watched;
  }

  /** @throws Error naming each failed answer that was not read */
  check(): void {
    const unread = [...new Set([...this.#unread.values()].map(({ text }) => text))];
    this.#unread.clear();
    if (unread.length > 0)
      throw new Error(`The test did not read the status of a request that failed:\n${unread.join("\n")}`);
  }

  #forgetAll({ request, key }: Sent): void {
    for (const [answer, { sent }] of this.#unread)
      if (sent.request === request && sent.key === key) this.#unread.delete(answer);
  }
}

/** The same object, of which each field but those that are named tells when it is read. */
function watchFields<T extends object>(object: T, read: () => void, but: ReadonlySet<string> = new Set()): T {
  const watched = { ...object };
  for (const [name, value] of Object.entries(object)) {
    if (but.has(name)) continue;
    const get = () => {
      read();
      return value;
    };
    Object.defineProperty(watched, name, { enumerable: true, get });
  }
  return watched;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The first line of the stack that is in a test, or else outside of this folder. */
function lineOfTest(error: Error): string {
  const lines = error.stack?.split("\n").slice(1) ?? [];
  const found = lines.find((line) => line.includes(".test.")) ?? lines.find((line) => !/[/\\]testing[/\\]/.test(line));
  return (found ?? "at an unknown line").trim();
}
