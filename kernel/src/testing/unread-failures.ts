interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Sent {
  /** `POST /api/libraries`. */
  readonly request: string;
  /** Made where the request was sent; its stack names the line of the test. */
  readonly from: Error;
}

/**
 * The failed answers (status 400 and above) of which a test has read neither the status nor a field of the body. A test
 * that prepares something by a request and ignores the answer would otherwise go on, and prove less than it says.
 */
export class UnreadFailures {
  readonly #unread = new Map<Answer, string>();

  /** The same answer, which is no longer remembered once its status, or a field of its body, was read. */
  watch<A extends Answer>(answer: A, sent: Sent): A {
    if (answer.status < 400) return answer;
    const { status, body } = answer;
    const forget = () => this.#unread.delete(watched);
    const watched: A = {
      ...answer,
      get status() {
        forget();
        return status;
      },
      body: watchFields(body, forget),
    };
    this.#unread.set(watched, `${sent.request} answered ${status} ${JSON.stringify(body)}\n  ${lineOfTest(sent.from)}`);
    return watched;
  }

  /** @throws Error naming each failed answer that was not read */
  check(): void {
    const unread = [...this.#unread.values()];
    this.#unread.clear();
    if (unread.length > 0)
      throw new Error(`The test did not read the status of a request that failed:\n${unread.join("\n")}`);
  }
}

/** The same body of an error, whose fields tell when they are read. */
function watchFields(body: unknown, read: () => void): unknown {
  if (typeof body !== "object" || body === null) return body;
  const watched = {};
  for (const [name, value] of Object.entries(body)) {
    const get = () => {
      read();
      return value;
    };
    Object.defineProperty(watched, name, { enumerable: true, get });
  }
  return watched;
}

/** The first line of the stack outside of this folder. */
function lineOfTest(error: Error): string {
  const lines = error.stack?.split("\n").slice(1) ?? [];
  return (lines.find((line) => !/[/\\]testing[/\\]/.test(line)) ?? "at an unknown line").trim();
}
