import { z } from "zod";
import type { QbittorrentSession } from "./qbittorrent-session.js";
import { isUnknownToTracker } from "./tracker-answers.js";

const trackersSchema = z.array(z.object({ url: z.string(), status: z.number(), msg: z.string() }));
/** What its numbers of a tracker's status mean. */
const isRefusing = 4;
const askedEveryMs = 30_000;
const mostKept = 1_000;

/** What trackers say of torrents that stand still: qBittorrent shows it only when it is asked for each of them. */
export class QbittorrentTrackers {
  readonly #asked = new Map<string, { readonly said: string | undefined; readonly at: number }>();

  constructor(private readonly session: QbittorrentSession) {}

  /** Why no tracker has it; undefined while one of them may have it, and where there are none. */
  async refusalOf(id: string): Promise<string | undefined> {
    const kept = this.#asked.get(id);
    if (kept && (kept.said !== undefined || Date.now() - kept.at < askedEveryMs)) return kept.said;
    if (this.#asked.size >= mostKept) this.#asked.clear();
    const said = await this.#ask(id);
    this.#asked.set(id, { said, at: Date.now() });
    return said;
  }

  async #ask(id: string): Promise<string | undefined> {
    const answer = await this.session.ask("torrents/trackers", { query: { hash: id } });
    if (!answer.ok) {
      await answer.body?.cancel();
      return undefined;
    }
    // Entries such as `** [DHT] **` are no trackers.
    const trackers = (await answer.json(trackersSchema)).filter(({ url }) => URL.canParse(url));
    const refusals = trackers.filter(({ status, msg }) => status === isRefusing && isUnknownToTracker(msg));
    return trackers.length > 0 && refusals.length === trackers.length ? refusals[0]!.msg : undefined;
  }
}
