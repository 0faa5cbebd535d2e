import { BadInput, isLongboxError, type Answer } from "@longbox/sdk";
import { z } from "zod";
import type { ClientEntry } from "../settings.js";
import { isOwnLabel } from "./labels.js";
import type { Description, HeldTorrent, NewTorrent, TorrentProgram } from "./program.js";
import { failed } from "./client-failure.js";
import type { QbittorrentRequest, QbittorrentSession } from "./qbittorrent-session.js";
import { QbittorrentTrackers } from "./qbittorrent-trackers.js";
import { heldOf, infoSchema, standsStill, type TorrentInfo } from "./qbittorrent-states.js";

const stateSchema = z.object({ server_state: z.object({ free_space_on_disk: z.number().optional() }).optional() });
const categoriesSchema = z.record(z.string(), z.object({ savePath: z.string().optional() }));

/** qBittorrent by its web API, version 2: qBittorrent 4.1 and later. */
export class Qbittorrent implements TorrentProgram {
  /** Its ids of torrents that it knows by another hash. */
  readonly #ids = new Map<string, string>();
  readonly #trackers: QbittorrentTrackers;

  constructor(
    private readonly session: QbittorrentSession,
    private readonly entry: ClientEntry,
  ) {
    this.#trackers = new QbittorrentTrackers(session);
  }

  async add({ hash, label, content, signal }: NewTorrent): Promise<void> {
    const form = new FormData();
    if (typeof content === "string") form.set("urls", content);
    else
      form.set("torrents", new File([Buffer.from(content)], `${hash}.torrent`, { type: "application/x-bittorrent" }));
    if (this.entry.category !== "") form.set("category", this.entry.category);
    form.set("tags", label);
    const answer = await this.session.ask("torrents/add", { form, signal });
    const text = await answer.text();
    if (answer.status === 415 || answer.status === 409 || /^Fails/u.test(text))
      throw new BadInput("source-torrent/client-refuses", "qBittorrent refuses the torrent as damaged or unusable.");
    if (!answer.ok) throw failed(`qBittorrent answers ${answer.status} to a new torrent.`);
  }

  /** It knows torrents of both versions by the hash of the second one; all are listed to find these, once. */
  async withHashes(hashes: readonly string[]): Promise<HeldTorrent[]> {
    const found = await this.#info({ hashes: hashes.map((hash) => this.#ids.get(hash) ?? hash).join("|") });
    const missing = new Set(hashes.filter((hash) => !found.some((torrent) => torrent.hash === hash)));
    if (missing.size === 0) return found;
    const others = (await this.#info({})).filter(({ hash }) => missing.has(hash));
    for (const { hash, id } of others) this.#ids.set(hash, id);
    return [...found, ...others];
  }

  async withLabel(label: string): Promise<HeldTorrent[]> {
    return (await this.#info({ tag: label })).filter(({ labels }) => labels.includes(label));
  }

  async relabel({ id, labels }: HeldTorrent, label: string): Promise<void> {
    await this.#post("torrents/addTags", { hashes: id, tags: label });
    const former = labels.filter((each) => isOwnLabel(each) && each !== label).join(",");
    if (former !== "") await this.#post("torrents/removeTags", { hashes: id, tags: former });
  }

  async remove({ id, labels }: HeldTorrent, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    await this.#post("torrents/delete", { hashes: id, deleteFiles: String(deleteFiles) });
    const own = labels.filter(isOwnLabel).join(",");
    if (own !== "") await this.#post("torrents/deleteTags", { tags: own });
  }

  async describe(signal: AbortSignal): Promise<Description> {
    const version = await (await this.session.ask("app/version", { signal })).text();
    if (!/^v?\d/u.test(version)) throw failed("The server at this address is not qBittorrent. Check the address.");
    const categories = await this.#read("torrents/categories", categoriesSchema, { signal });
    const own = categories[this.entry.category]?.savePath ?? "";
    const folder = own === "" ? await (await this.session.ask("app/defaultSavePath", { signal })).text() : own;
    return { version: version.replace(/^v/u, ""), folder };
  }

  async #info(query: Readonly<Record<string, string>>): Promise<HeldTorrent[]> {
    const list = await this.#read("torrents/info", z.array(infoSchema), { query });
    const freeBytes = list.some(({ state }) => state === "error") ? await this.#freeBytes() : undefined;
    return Promise.all(
      list.map(async (info: TorrentInfo) => {
        const trackersSay = standsStill(info) ? await this.#trackers.refusalOf(info.hash) : undefined;
        return heldOf(info, { mappings: this.entry.pathMap, freeBytes, trackersSay });
      }),
    );
  }

  async #freeBytes(): Promise<number | undefined> {
    return (await this.#read("sync/maindata", stateSchema)).server_state?.free_space_on_disk;
  }

  async #read<S extends z.ZodType>(method: string, schema: S, request?: QbittorrentRequest): Promise<z.output<S>> {
    const answer = await this.session.ask(method, request);
    if (!answer.ok) throw await notFine(answer);
    return answer.json(schema).catch((fault: unknown) => {
      if (isLongboxError(fault) && fault.code === "kernel/answer-unreadable")
        throw failed("It answers in a way that qBittorrent does not. Check the address and the version.");
      throw fault;
    });
  }

  async #post(method: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const answer = await this.session.ask(method, { form: new URLSearchParams(fields) });
    if (!answer.ok) throw await notFine(answer);
    await answer.body?.cancel();
  }
}

async function notFine(answer: Answer) {
  await answer.body?.cancel();
  return failed(`qBittorrent answers ${answer.status}. Check the address and the version.`);
}
