import type { ClientDownload, ClientFailure, ClientOrder, Grab } from "@longbox/downloads/contract";
import { BadInput } from "@longbox/sdk";
import { z } from "zod";
import type { AskingClient } from "./asking-client.js";
import { NzbgetApi, type Group, type Past } from "./nzbget-api.js";
import { nameOf, removeFolder } from "./naming.js";
import { localPath } from "./path-mapping.js";
import type { UsenetProgram } from "./program.js";

/** From this version on, `append` has one parameter more. */
const autoCategorySince = 25;

/** NZBGet. It keeps our key as the one by which it knows duplicates. */
export class Nzbget implements UsenetProgram {
  readonly #api: NzbgetApi;

  constructor(private readonly asking: AskingClient) {
    this.#api = new NzbgetApi(asking);
  }

  async add(grab: Grab, { key, title, signal }: ClientOrder): Promise<{ readonly id: string }> {
    if (grab.kind !== "file") throw new BadInput("source-usenet/not-an-nzb", "NZBGet takes NZB files only.");
    const major = Number.parseInt(await this.#api.version(), 10);
    const { category } = this.asking.entry;
    const file = [`${nameOf(title, key)}.nzb`, Buffer.from(grab.bytes).toString("base64")];
    const autoCategory = major >= autoCategorySince ? [false] : [];
    const params = [...file, category, 0, false, false, key, 0, "FORCE", ...autoCategory, []];
    const id = await this.#api.call({ method: "append", params, signal }, z.union([z.number(), z.boolean()]));
    if (typeof id === "number" && id > 0) return { id: String(id) };
    throw new BadInput("source-usenet/client-refuses-file", "NZBGet did not add the NZB: it cannot use it.");
  }

  async find(key: string): Promise<{ readonly id: string } | undefined> {
    const isOurs = ({ DupeKey }: { DupeKey?: string | undefined }) => DupeKey === key;
    const found = (await this.#api.groups()).find(isOurs) ?? (await this.#api.history()).find(isOurs);
    return found && { id: String(found.NZBID) };
  }

  async poll(ids: readonly string[]): Promise<readonly ClientDownload[]> {
    const wanted = new Set(ids);
    const groups = (await this.#api.groups()).filter(({ NZBID }) => wanted.delete(String(NZBID)));
    const rate = groups.some(({ Status }) => Status === "DOWNLOADING") ? await this.#api.bytesPerSecond() : 0;
    const past = wanted.size === 0 ? [] : await this.#api.history();
    return [
      ...groups.map((group) => groupDownload(group, rate)),
      ...past.filter(({ NZBID }) => wanted.has(String(NZBID))).map((each) => this.#pastDownload(each)),
    ];
  }

  async remove(id: string, deleteFiles: boolean): Promise<void> {
    const number = Number(id);
    if ((await this.#api.groups()).some(({ NZBID }) => NZBID === number))
      await this.#api.edit("GroupFinalDelete", number);
    const past = (await this.#api.history()).find(({ NZBID }) => NZBID === number);
    if (!past) return;
    // NZBGet removes the files of failed downloads only.
    if (deleteFiles) await removeFolder(localPath(folderOf(past), this.asking.entry.pathMap), past.DupeKey ?? "");
    await this.#api.edit("HistoryFinalDelete", number);
  }

  #pastDownload(past: Past): ClientDownload {
    const shared = { id: String(past.NZBID), sizeBytes: sizeOf(past.FileSizeHi, past.FileSizeLo), progress: 1 };
    const failure = failureOf(past.Status);
    if (failure) return { ...shared, state: "failed", failure, reason: `NZBGet says ${past.Status}.` };
    return { ...shared, state: "completed", path: localPath(folderOf(past), this.asking.entry.pathMap) };
  }
}

const folderOf = ({ FinalDir, DestDir }: Past) => (FinalDir === undefined || FinalDir === "" ? DestDir : FinalDir);

/** Two halves of 32 bits, which some versions write with a sign. */
const sizeOf = (high: number, low: number) => (high >>> 0) * 2 ** 32 + (low >>> 0);

const groupStates: Readonly<Record<string, "queued" | "paused" | "downloading">> = {
  QUEUED: "queued",
  PAUSED: "paused",
  DOWNLOADING: "downloading",
  FETCHING: "downloading",
};

function groupDownload(group: Group, rate: number): ClientDownload {
  const sizeBytes = sizeOf(group.FileSizeHi, group.FileSizeLo);
  const left = sizeOf(group.RemainingSizeHi, group.RemainingSizeLo);
  const progress = sizeBytes > 0 ? Math.min(1, Math.max(0, 1 - left / sizeBytes)) : 0;
  const state = groupStates[group.Status] ?? "processing";
  const isMoving = state === "downloading" && rate > 0;
  return {
    id: String(group.NZBID),
    sizeBytes,
    progress,
    state,
    ...(isMoving && { bytesPerSecond: rate, secondsLeft: Math.ceil(left / rate) }),
  };
}

const failures: Readonly<Record<string, ClientFailure>> = {
  "WARNING/SPACE": "disk",
  "WARNING/PASSWORD": "password",
  "WARNING/DAMAGED": "damaged",
  "WARNING/REPAIRABLE": "damaged",
  "WARNING/HEALTH": "incomplete",
  "FAILURE/PAR": "damaged",
  "FAILURE/UNPACK": "damaged",
  "FAILURE/MOVE": "client",
  "FAILURE/SCRIPT": "client",
  "FAILURE/FETCH": "client",
  "FAILURE/INTERNAL_ERROR": "client",
  "FAILURE/SCAN": "refused",
  "FAILURE/HEALTH": "incomplete",
  "FAILURE/BAD": "incomplete",
  "DELETED/HEALTH": "incomplete",
  "DELETED/BAD": "incomplete",
};

/** Undefined: it can be used. What a person deleted there is not taken again. */
function failureOf(status: string): ClientFailure | undefined {
  if (status.startsWith("SUCCESS/") || status === "WARNING/SCRIPT") return undefined;
  return failures[status] ?? (status.startsWith("DELETED/") ? "refused" : "damaged");
}
