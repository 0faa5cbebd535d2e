import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { isLongboxError, releasable, type Logger, type Releasable } from "@longbox/sdk";
import type { KernelOptions } from "../kernel-options.js";
import { connectAdvisoryLock, lockDataFolder, translateStorageFault } from "../storage/index.js";
import { followerDescriptor } from "../supervisor/protocol.js";
import { FollowerDoor } from "./follower-door.js";
import { findLeaderNote, libraryId, removeLeaderNote, writeLeaderNote } from "./leader-note.js";
import { Leadership } from "./leadership.js";

/** This server's turn to open the data folder and run plugins. */
export interface Turn {
  /** What other servers prove to be such with; undefined where there can be none. */
  readonly peerSecret: string | undefined;
  /** Whether requests were taken already, on behalf of the server whose turn it was. */
  readonly hasFollowed: boolean;
  /** The kernel answers at this address now. */
  answersAt(url: string): Promise<void>;
}

interface TurnListener {
  /** Something to be released when the process ends, the last one first. */
  own(part: Releasable): void;
  /** This server answers already, while another one is the leader. */
  listening(url: string): void;
  /** Another server has become the leader meanwhile: this one has to stop at once. */
  lost(): void;
  readonly log: Logger;
}

/**
 * Waits until this server may open the data folder. Where tables are in PostgreSQL, another server may have it: then
 * this one has its requests answered by that one, and takes its place when it ends.
 * @throws {LongboxError} `kernel/data-folder-in-use`, `kernel/database-away`
 */
export async function awaitTurn(options: KernelOptions, listener: TurnListener): Promise<Turn> {
  const { dataFolder, storage } = options;
  if (typeof storage !== "object") {
    listener.own(lockDataFolder(dataFolder));
    return { peerSecret: undefined, hasFollowed: false, answersAt: async () => {} };
  }
  const key = `longbox ${await idOf(dataFolder)}`;
  const holder = `longbox leader ${randomUUID()}`;
  const leadership = new Leadership(() => connectAdvisoryLock(storage.postgres, { key, holder }));
  listener.own(leadership);
  const door = (await leadership.tryTake()) ? undefined : await follow(dataFolder, leadership, listener);
  leadership.keep(listener.lost);
  listener.own(await lockLeftFolder(dataFolder, listener.log));
  listener.own(releasable(() => removeLeaderNote(dataFolder)));
  const secret = randomBytes(32).toString("base64url");
  return {
    peerSecret: secret,
    hasFollowed: door !== undefined,
    async answersAt(url) {
      door?.goOnWith({ format: 1, url, secret });
      await writeLeaderNote(dataFolder, { url: options.peerUrl ?? urlForOthers(url), secret });
    },
  };
}

/** How long answers may go on when a follower is asked to stop. */
const closeGraceMs = 5_000;

async function follow(folder: string, leadership: Leadership, listener: TurnListener): Promise<FollowerDoor> {
  const { log, own, listening } = listener;
  const door = new FollowerDoor(() => findLeaderNote(folder));
  own(releasable(() => door.close(closeGraceMs)));
  listening(await door.listen({ fd: followerDescriptor }));
  log.info("Another server of this library is the leader; requests are forwarded to it.");
  await leadership.take();
  door.leaderEnded();
  log.info("The leader has ended; this server takes its place.");
  return door;
}

async function idOf(folder: string): Promise<string> {
  try {
    return await libraryId(folder);
  } catch (fault) {
    throw translateStorageFault(fault, folder);
  }
}

/**
 * A leader that has lost its connection ends by itself, and a shared disk may know of the end of a machine only later.
 */
const folderLimitMs = 120_000;
const betweenTriesMs = 100;

/** Locks the data folder once the leader before has let go of it. */
async function lockLeftFolder(folder: string, log: Logger): Promise<Releasable> {
  const end = Date.now() + folderLimitMs;
  for (let isTold = false; ;) {
    try {
      return lockDataFolder(folder);
    } catch (fault) {
      if (!isLongboxError(fault) || fault.code !== "kernel/data-folder-in-use" || Date.now() > end) throw fault;
      if (!isTold) log.warn("The data folder is still locked by the leader before.", { reason: fault.message });
      isTold = true;
    }
    await pause(betweenTriesMs);
  }
}

/** An address of all networks means nothing to others. */
function urlForOthers(url: string): string {
  const told = new URL(url);
  if (told.hostname === "0.0.0.0" || told.hostname === "[::]") told.hostname = hostname();
  return told.origin;
}
