import type { CollectionContract } from "@longbox/collection/contract";
import type { NotificationsContract } from "@longbox/notifications/contract";
import type { KernelUsers, Logger, OptionalCapability, Viewer } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { Requestable } from "./contract.js";
import type { Deciding } from "./deciding/deciding.js";
import { checkPolicy, listed } from "./deciding/policy.js";
import { AgainstPolicy, AlreadyOwned, NotFoundAtSource, RequestNotFound } from "./errors.js";
import type { RequestRecord, RequestRecords } from "./keeping/request-records.js";
import type { RequestSettings } from "./settings.js";
import type { Sources } from "./sources.js";
import type { RequestKind, RequestState } from "./tables.js";

export interface AskingParts {
  readonly records: RequestRecords;
  readonly sources: Sources;
  readonly deciding: Deciding;
  readonly library: Pick<CollectionContract, "findSeries">;
  readonly users: KernelUsers;
  readonly notifications: OptionalCapability<NotificationsContract>;
  readonly say: Say;
  readonly settings: () => RequestSettings;
  readonly changed: () => void;
  readonly log: Logger;
}

export interface Ask {
  readonly kind: RequestKind;
  readonly externalId: string;
  readonly note: string;
}

/** A request as a viewer sees it. */
export interface SeenRequest {
  readonly record: RequestRecord;
  readonly votes: number;
  readonly voted: boolean;
  readonly seriesId: number | undefined;
}

/** A search result with its open request. */
export interface FoundForViewer extends Requestable {
  readonly requestId: number | undefined;
  /** Of an open request: whether the viewer made it, or has voted for it. */
  readonly mine: boolean | undefined;
  readonly voted: boolean | undefined;
}

export interface Outcome {
  readonly id: number;
  readonly state: RequestState;
  /** Whether there was an open request already, to which the viewer's vote was added. */
  readonly voted?: boolean;
  readonly queued?: number;
}

const weekMs = 7 * 24 * 60 * 60_000;
/** How long decided requests stay in the list. */
const shownMs = 30 * 24 * 60 * 60_000;
const mostShown = 500;

/** Making, listing and voting for requests. */
export class Asking {
  constructor(private readonly parts: AskingParts) {}

  async list(viewer: Viewer): Promise<SeenRequest[]> {
    return this.#seen(await this.parts.records.list(Date.now() - shownMs, mostShown), viewer);
  }

  async countPending(viewer: Viewer): Promise<number> {
    return (await this.#seen(await this.parts.records.listInState("pending"), viewer)).length;
  }

  /** @throws {NotFound} `requests/request-not-found`, also for a hidden one */
  async find(id: number, viewer: Viewer): Promise<SeenRequest> {
    const record = await this.parts.records.find(id);
    const [seen] = record ? await this.#seen([record], viewer) : [];
    if (!seen) throw new RequestNotFound(id);
    return seen;
  }

  /** Search results with their open requests. */
  async search(query: string, kind: RequestKind, viewer: Viewer): Promise<FoundForViewer[]> {
    const { sources, records } = this.parts;
    const found = await sources.of(kind).search(query, viewer);
    const ids = found.map(({ externalId }) => externalId);
    const open = await records.findOpen(kind, ids);
    const voters = await records.voters(open.map(({ id }) => id));
    return found.map((row) => {
      const request = open.find(({ external_id }) => external_id === row.externalId);
      const voted = request && voters.get(request.id)?.includes(viewer.user.id);
      return { ...row, requestId: request?.id, mine: request && request.user_id === viewer.user.id, voted };
    });
  }

  async ask({ kind, externalId, note }: Ask, viewer: Viewer): Promise<Outcome> {
    const found = await this.parts.sources.of(kind).find(externalId, viewer);
    if (!found) throw new NotFoundAtSource(externalId);
    if (found.seriesId !== undefined) throw new AlreadyOwned(found.seriesId);
    checkPolicy({ kind, title: found.title, publisher: found.publisher }, this.parts.settings());
    const [open] = await this.parts.records.findOpen(kind, [externalId]);
    if (open) return this.#second(open, viewer);
    await this.#checkWeek(viewer);
    const added = await this.parts.records.add({
      kind,
      external_id: externalId,
      title: found.title,
      year: found.year ?? null,
      publisher: found.publisher ?? null,
      authors: JSON.stringify(found.authors ?? []),
      image: found.image ?? null,
      note,
      user_id: viewer.user.id,
    });
    // Another user made the same request concurrently.
    if (!added) return this.ask({ kind, externalId, note }, viewer);
    this.parts.changed();
    return this.#approvedAtOnce(viewer) ? this.#approve(added, viewer) : this.#wait(added);
  }

  /** Votes count for as long as the request is open. @throws {NotFound} `requests/request-not-found` */
  async vote(id: number, on: boolean, viewer: Viewer): Promise<{ votes: number; voted: boolean }> {
    const { record } = await this.find(id, viewer);
    // A user's own request counts as a vote.
    if (record.user_id !== viewer.user.id && record.open === 1) {
      await this.parts.records.vote(id, viewer.user.id, on);
      this.parts.changed();
    }
    const { votes, voted } = await this.find(id, viewer);
    return { votes, voted };
  }

  async #second(open: RequestRecord, viewer: Viewer): Promise<Outcome> {
    const state = open.state as RequestState;
    if (open.user_id === viewer.user.id) return { id: open.id, state, voted: false };
    await this.parts.records.vote(open.id, viewer.user.id, true);
    this.parts.changed();
    return { id: open.id, state, voted: true };
  }

  async #approve(request: RequestRecord, viewer: Viewer): Promise<Outcome> {
    const { autoDownload: download } = this.parts.settings();
    try {
      // Downloads need the permission of the requesting user.
      const { state, queued } = await this.parts.deciding.approve(request, { viewer, download });
      return { id: request.id, state, queued };
    } catch (fault) {
      this.parts.log.warn("A request could not be approved automatically.", {
        request: request.id,
        fault: String(fault),
      });
      return this.#wait(request);
    }
  }

  async #wait(request: RequestRecord): Promise<Outcome> {
    const { notifications, log } = this.parts;
    if (notifications.available())
      await notifications.use
        .notify(
          {
            category: "request",
            title: await this.parts.say("requested", { title: request.title }),
            body: request.note,
            url: "/requests",
            key: `request ${request.id}`,
          },
          { permission: "requests.manage" },
        )
        .catch((fault: unknown) => log.warn("No user could be notified of a request.", { fault: String(fault) }));
    return { id: request.id, state: "pending" };
  }

  #approvedAtOnce(viewer: Viewer): boolean {
    const roles = listed(this.parts.settings().autoApproveRoles);
    return viewer.may("requests.manage") || roles.includes(viewer.user.role);
  }

  async #checkWeek(viewer: Viewer): Promise<void> {
    const { perWeek } = this.parts.settings();
    if (perWeek === 0 || viewer.may("requests.manage")) return;
    const asked = await this.parts.records.countSince(viewer.user.id, Date.now() - weekMs);
    if (asked >= perWeek)
      throw new AgainstPolicy(`You made ${asked} requests within a week, which is the maximum on this server.`);
  }

  /** Leaves out requests for hidden series. A user's own requests are kept, without the series. */
  async #seen(records: readonly RequestRecord[], viewer: Viewer): Promise<SeenRequest[]> {
    const voters = await this.parts.records.voters(records.map(({ id }) => id));
    const seen: SeenRequest[] = [];
    for (const record of records) {
      const series =
        record.series_id === null ? undefined : await this.parts.library.findSeries(record.series_id, viewer);
      const isHidden = record.series_id !== null && !series && !viewer.seesRestricted;
      if (isHidden && record.user_id !== viewer.user.id) continue;
      const own = voters.get(record.id) ?? [];
      seen.push({ record, votes: own.length, voted: own.includes(viewer.user.id), seriesId: series?.id });
    }
    return seen;
  }
}
