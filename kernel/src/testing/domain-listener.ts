import type { TestHost } from "@longbox/sdk/testing";

type DomainListener = Awaited<ReturnType<TestHost["domains"]>>;

/** Listens to the event stream as one user, and keeps what it hears. */
export async function listenForDomains(url: string, key: string | undefined): Promise<DomainListener> {
  const abort = new AbortController();
  const answer = await fetch(`${url}/api/events`, {
    signal: abort.signal,
    headers: key === undefined ? {} : { "x-api-key": key },
  });
  if (!answer.ok || !answer.body) throw new Error(`The event stream answered ${answer.status}.`);
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const reading = read(answer.body, (domain) => {
    heard.push(domain);
    for (const wake of [...waiting]) wake();
  }).catch(() => undefined);
  return {
    heard,
    until: (domain) => untilHeard(heard, domain, waiting),
    async release() {
      abort.abort();
      await reading;
    },
  };
}

async function read(stream: ReadableStream<Uint8Array>, hear: (domain: string) => void): Promise<void> {
  let text = "";
  for await (const chunk of stream.pipeThrough(
    // Node declares the same standard types twice.
    new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>,
  )) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      const domain = /^event: (.+)$/m.exec(event)?.[1];
      if (domain !== undefined) hear(domain);
    }
  }
}

/** Waits for the next mention of a domain, unless it has been heard already. */
function untilHeard(heard: readonly string[], domain: string, waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!heard.includes(domain)) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
}
