import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { preparePublisher, signIn } from "./publisher-account.js";
import { RegistryDoor } from "./registry-door.js";
import { writeWhole } from "./whole-file.js";

export interface RegistryOptions {
  /** Where packages, the publisher's secret and its token are kept. */
  folder: string;
  /** Default 0: any free port. */
  port?: number;
  /** The registry behind this one, for everything outside `@longbox`. Left out, there is none. */
  upstream?: string;
  /** After so long without an open connection Verdaccio's process ends, until the next one. Default: a minute. */
  idleMs?: number;
  /** With a token of an earlier start, Verdaccio is not started before the first connection. */
  asleep?: boolean;
  /** Called with every line that Verdaccio writes. */
  log?: (line: string) => void;
}

/** A registry on loopback. Disposing it stops its process. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  /** The token for publishing, sent as `Authorization: Bearer`. */
  readonly token: string;
  /** Verdaccio's process; undefined while it is not needed. */
  readonly processId: number | undefined;
  stop(): Promise<void>;
}

const minuteMs = 60_000;

/**
 * Opens the registry on 127.0.0.1. Verdaccio runs as a process of its own while there are connections. It stops with
 * this process in every case.
 * @throws {Error} When the port is taken or the folder cannot be written.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { folder, port = 0, upstream, idleMs = minuteMs, asleep = false, log = () => {} } = options;
  const password = await preparePublisher(folder);
  const door = await RegistryDoor.open(port, { settings: { folder, upstream }, idleMs, log });
  try {
    const { url } = door;
    const token = (asleep ? await keptToken(folder) : undefined) ?? (await firstToken(door, folder, password));
    await writeWhole(join(folder, "registry.json"), `${JSON.stringify({ url })}\n`);
    const stop = () => door.close();
    return {
      url,
      folder,
      token,
      get processId() {
        return door.processId;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await door.close();
    throw error;
  }
}

async function firstToken(door: RegistryDoor, folder: string, password: string): Promise<string> {
  await door.wake();
  return signIn(door.url, folder, password);
}

async function keptToken(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "token"), "utf8").catch(() => ""); // No start has come so far yet.
  return text.trim() || undefined;
}
