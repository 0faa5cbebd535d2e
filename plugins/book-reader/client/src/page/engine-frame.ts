import { t } from "@longbox/sdk/ui";
import type { EngineCalls, EngineEvents, FromEngine, ToEngine } from "../protocol.js";

type Listeners = { [K in keyof EngineEvents]?: (detail: EngineEvents[K]) => void };
type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (problem: Error) => void };

/** What the engine says of a book, which has no messages of its own. */
const problems: Readonly<Record<string, string>> = {
  "This file is of a kind that the reader does not know.": t("engineFrame.ofAnUnknownKind"),
  "The page is too large to be drawn.": t("engineFrame.thePageIsTooLarge"),
  "The section has no text.": t("engineFrame.theSectionHasNo"),
};

/** Milliseconds; a frame that says nothing for so long was stopped by the browser. */
const longestStartMs = 20_000;

/**
 * The engine, in its frame of another origin: it gets the bytes of a book and answers by messages. It has no cookies
 * and reaches no address; this page does all requests.
 */
export class EngineFrame {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(port: MessagePort, listeners: Listeners) {
    this.#port = port;
    port.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.#receive(data, listeners));
    port.start();
  }

  /**
   * Starts the engine.
   * @param loaded - The frame that shows `/api/book-reader/frame`, once it has been loaded
   * @param fetched - The texts of the engine's scripts, exactly as they were built: the frame runs no others
   */
  static async start(
    loaded: Promise<HTMLIFrameElement>,
    fetched: Promise<readonly string[]>,
    listeners: Listeners,
  ): Promise<EngineFrame> {
    const [frame, scripts] = await Promise.all([loaded, fetched]);
    const inner = frame.contentWindow?.[0];
    if (!inner) throw new Error(t("engineFrame.couldNotBeLoaded"));
    const { port1, port2 } = new MessageChannel();
    const engine = new EngineFrame(port1, listeners);
    // The inner frame has an origin that no address names.
    inner.postMessage(scripts, "*", [port2]);
    return engine;
  }

  call<K extends keyof EngineCalls>(
    call: K,
    ...input: Parameters<EngineCalls[K]>
  ): Promise<Awaited<ReturnType<EngineCalls[K]>>> {
    const id = ++this.#last;
    const message: ToEngine = { id, call, input };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as Awaited<ReturnType<EngineCalls[K]>>), reject });
      if (call === "open") setTimeout(() => id === this.#last && this.#giveUp(id), longestStartMs);
      this.#port.postMessage(message);
    });
  }

  release(): void {
    this.#port.close();
    this.#waiting.clear();
  }

  #giveUp(id: number): void {
    this.#waiting.get(id)?.reject(new Error(t("engineFrame.takesTooLong")));
    this.#waiting.delete(id);
  }

  #receive(message: FromEngine, listeners: Listeners): void {
    if ("event" in message) {
      const listener = listeners[message.event] as ((detail: unknown) => void) | undefined;
      listener?.(message.detail);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("error" in message) waiting?.reject(new Error(problems[message.error] ?? message.error));
    else waiting?.resolve(message.result);
  }
}
