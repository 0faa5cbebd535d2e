import { AnswerTooLarge } from "./outgoing-errors.js";

const withoutBody = new Set([101, 204, 205, 304]);

/** Lets go of what an answer followed once its body is gone: read to its end, given up, or never looked at. */
const leftAlone = new FinalizationRegistry<() => void>((release) => release());

export interface AnswerLimit {
  readonly maxBytes: number;
  /** What a fault of the network means for callers. */
  readonly translate: (fault: unknown) => unknown;
  /** Called once nothing more of the body comes. */
  readonly over: () => void;
}

/**
 * The same answer with a body that ends with an error after so many bytes, counted after decompression.
 * @throws {AnswerTooLarge} at once when the header says so already
 */
export async function limitAnswer(answer: Response, url: URL, limit: AnswerLimit): Promise<Response> {
  const declared = Number(answer.headers.get("content-length") ?? 0);
  if (declared > limit.maxBytes && !answer.headers.has("content-encoding") && answer.body) {
    await answer.body.cancel();
    limit.over();
    throw new AnswerTooLarge(url.host, limit.maxBytes);
  }
  const body = answer.body && !withoutBody.has(answer.status) ? limitedBody(answer, url, limit) : null;
  if (body) leftAlone.register(body, limit.over, body);
  else limit.over();
  const { status, statusText, headers } = answer;
  const limited = new Response(body, { status, statusText, headers: [...headers] });
  return Object.defineProperties(limited, { url: { value: url.href }, redirected: { value: answer.redirected } });
}

/** Holds on to the answer: undici gives up the body of one that is collected. */
function limitedBody(
  answer: Response,
  url: URL,
  { maxBytes, translate, over }: AnswerLimit,
): ReadableStream<Uint8Array> {
  const { host } = url;
  const chunks = answer.body![Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let length = 0;
  const source = {
    answer,
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { done, value } = await chunks.next();
        if (done) {
          over();
          return controller.close();
        }
        length += value.byteLength;
        if (length > maxBytes) throw new AnswerTooLarge(host, maxBytes);
        controller.enqueue(value);
      } catch (fault) {
        over();
        controller.error(translate(fault));
        await chunks.return?.();
      }
    },
    async cancel() {
      over();
      await chunks.return?.();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
