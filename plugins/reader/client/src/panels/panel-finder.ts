import type { Direction } from "@longbox/reader/api";
import { addressOf } from "@longbox/sdk/ui";
import type { Panel } from "./find-panels.js";
import type { PanelAnswer, PanelQuestion } from "./panel-worker.js";
// oxlint-disable-next-line import/default -- Vite makes the default export.
import PanelWorker from "./panel-worker.js?worker&inline";

/** Finds the panels of pages in a worker, which runs from the first question to the end of the issue. */
export class PanelFinder {
  #worker: Worker | undefined;
  readonly #asked = new Map<string, Promise<readonly Panel[]>>();
  readonly #waiting = new Map<number, (panels: readonly Panel[]) => void>();

  /** The panels in reading order; none for a page that is not divided into panels. */
  find(url: string, direction: Direction): Promise<readonly Panel[]> {
    const key = `${direction} ${url}`;
    const asked = this.#asked.get(key) ?? this.#ask(url, direction);
    this.#asked.set(key, asked);
    return asked;
  }

  release(): void {
    this.#worker?.terminate();
    for (const answer of this.#waiting.values()) answer([]);
    this.#waiting.clear();
  }

  #ask(url: string, direction: Direction): Promise<readonly Panel[]> {
    const worker = (this.#worker ??= this.#start());
    const id = this.#asked.size;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      // A worker made of a blob has no address that a path could be relative to.
      worker.postMessage({ id, url: new URL(addressOf(url), location.href).href, direction } satisfies PanelQuestion);
    });
  }

  #start(): Worker {
    const worker = new PanelWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<PanelAnswer>) => {
      this.#waiting.get(data.id)?.(data.panels);
      this.#waiting.delete(data.id);
    });
    return worker;
  }
}
