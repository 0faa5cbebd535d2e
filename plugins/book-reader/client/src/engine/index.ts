import type { EngineCalls, FromEngine, ToEngine } from "../protocol.js";
import { Engine } from "./engine.js";

declare global {
  /** The port to the page, put there by the script that took it. */
  var longboxPort: MessagePort;
}

const port = globalThis.longboxPort;
const send = (message: FromEngine) => port.postMessage(message);

const engine = new Engine((event, detail) => send({ event, detail } as FromEngine));
const calls: { [K in keyof EngineCalls]: (...input: Parameters<EngineCalls[K]>) => unknown } = engine.calls;

async function answer({ id, call, input }: ToEngine): Promise<void> {
  try {
    const run = calls[call] as (...input: readonly unknown[]) => unknown;
    send({ id, result: await run(...input) });
  } catch (problem) {
    send({ id, error: problem instanceof Error ? problem.message : String(problem) });
  }
}

port.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => void answer(data));
port.start();
