import type { ClientDownload, ClientFailure, ClientOrder, Grab } from "@longbox/downloads/contract";
import { BadInput } from "@longbox/sdk";
import type { AskingClient } from "./asking-client.js";
import { keyIn, nameOf, removeFolder } from "./naming.js";
import { localPath } from "./path-mapping.js";
import type { UsenetProgram } from "./program.js";
import { SabnzbdApi, type HistorySlot, type QueueSlot } from "./sabnzbd-api.js";

const megabyte = 1024 * 1024;

/** SABnzbd. It stores no key of ours, so the name of a download ends with it. */
export class Sabnzbd implements UsenetProgram {
  readonly #api: SabnzbdApi;

  constructor(private readonly asking: AskingClient) {
    this.#api = new SabnzbdApi(asking);
  }

  async add(grab: Grab, { key, title, signal }: ClientOrder): Promise<{ readonly id: string }> {
    if (grab.kind !== "file") throw new BadInput("source-usenet/not-an-nzb", "SABnzbd takes NZB files only.");
    return { id: await this.#api.add({ name: nameOf(title, key), bytes: grab.bytes, signal }) };
  }

  async find(key: string): Promise<{ readonly id: string } | undefined> {
    const { slots } = await this.#api.queue({ search: key });
    const queued = slots.find(({ filename }) => filename.includes(key));
    if (queued) return { id: queued.nzo_id };
    const ended = (await this.#api.history({ search: key })).find((slot) =>
      [slot.name, slot.nzb_name, slot.storage].some((name) => name?.includes(key)),
    );
    return ended && { id: ended.nzo_id };
  }

  async poll(ids: readonly string[]): Promise<readonly ClientDownload[]> {
    const wanted = new Set(ids);
    const filter = { nzo_ids: ids.join(",") };
    const { slots, kbpersec = 0 } = await this.#api.queue(filter);
    const queued = slots.filter(({ nzo_id }) => wanted.delete(nzo_id));
    const ended = wanted.size === 0 ? [] : await this.#api.history(filter);
    return [
      ...queued.map((slot) => queuedDownload(slot, kbpersec * 1024)),
      ...ended.filter(({ nzo_id }) => wanted.has(nzo_id)).map((slot) => this.#endedDownload(slot)),
    ];
  }

  async remove(id: string, deleteFiles: boolean): Promise<void> {
    await this.#api.remove("queue", id, deleteFiles);
    const ended = (await this.#api.history({ nzo_ids: id })).find(({ nzo_id }) => nzo_id === id);
    if (!ended) return;
    // SABnzbd removes the files of failed downloads only.
    if (deleteFiles && ended.storage)
      await removeFolder(localPath(ended.storage, this.asking.entry.pathMap), keyIn(ended.name));
    await this.#api.remove("history", id, deleteFiles);
  }

  #endedDownload(slot: HistorySlot): ClientDownload {
    const { nzo_id: id, status, storage = "", bytes: sizeBytes = 0, fail_message: reason = "" } = slot;
    if (status === "Failed") return { id, sizeBytes, progress: 1, state: "failed", failure: failureOf(reason), reason };
    if (status !== "Completed" || storage === "") return { id, sizeBytes, progress: 1, state: "processing" };
    const path = localPath(storage, this.asking.entry.pathMap);
    return { id, sizeBytes, progress: 1, state: "completed", path };
  }
}

function queuedDownload(slot: QueueSlot, bytesPerSecond: number): ClientDownload {
  const { nzo_id: id, status, mb = 0, mbleft = 0, timeleft = "", labels = [] } = slot;
  const sizeBytes = Math.round(mb * megabyte);
  const progress = mb > 0 ? Math.min(1, Math.max(0, 1 - mbleft / mb)) : 0;
  const stopped = status === "Paused" ? stoppedBy(labels) : undefined;
  if (stopped) return { id, sizeBytes, progress, state: "failed", ...stopped };
  if (status !== "Downloading") return { id, sizeBytes, progress, state: queueStates[status] ?? "queued" };
  const secondsLeft = bytesPerSecond > 0 ? secondsOf(timeleft) : undefined;
  return {
    id,
    sizeBytes,
    progress,
    state: "downloading",
    ...(bytesPerSecond > 0 && { bytesPerSecond }),
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}

const queueStates: Readonly<Record<string, "paused" | "downloading" | "processing">> = {
  Paused: "paused",
  Fetching: "downloading",
  Grabbing: "downloading",
  Checking: "processing",
};

/** SABnzbd pauses what it finds suspicious, and says why by labels. */
function stoppedBy(labels: readonly string[]): { failure: ClientFailure; reason: string } | undefined {
  const all = labels.join(" ");
  if (/ENCRYPTED/iu.test(all)) return { failure: "password", reason: "SABnzbd paused it as encrypted." };
  if (/DUPLICATE/iu.test(all)) return { failure: "refused", reason: "SABnzbd paused it as a duplicate." };
  if (/UNWANTED/iu.test(all))
    return { failure: "refused", reason: "SABnzbd paused it for a file that it does not want." };
  return undefined;
}

/** `0:01:30`, or with days before. */
function secondsOf(text: string): number | undefined {
  if (!/^(?:\d+:){2,3}\d+$/u.test(text)) return undefined;
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = text.split(":").map(Number).toReversed();
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

const failures: ReadonlyArray<readonly [RegExp, ClientFailure]> = [
  [/password|encrypt/iu, "password"],
  [/disk (?:is )?full|no space|disk error|not enough.*space/iu, "disk"],
  [/aborted|cannot be completed|missing articles|not on your server|incomplete|no data/iu, "incomplete"],
  [/duplicate|unwanted|empty nzb|invalid nzb/iu, "refused"],
  [/script|moving|could not create|permission|fetch/iu, "client"],
];

/** From the sentence in SABnzbd's history. What is not known counts against the release. */
function failureOf(reason: string): ClientFailure {
  return failures.find(([pattern]) => pattern.test(reason))?.[1] ?? "damaged";
}
