import type { CollectionContract } from "@longbox/collection/contract";
import type { NotificationsContract } from "@longbox/notifications/contract";
import type { KernelUsers, Logger, OptionalCapability, Viewer } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import { AlreadyDecided, NotYourRequest, RequestNotFound } from "../errors.js";
import type { RequestRecord, RequestRecords } from "../keeping/request-records.js";
import type { Sources } from "../sources.js";
import type { RequestKind, RequestState } from "../tables.js";

export interface DecidingParts {
  readonly records: RequestRecords;
  readonly sources: Sources;
  readonly library: Pick<CollectionContract, "findIssues" | "findIssuesByIds" | "findSeries">;
  readonly users: KernelUsers;
  readonly notifications: OptionalCapability<NotificationsContract>;
  readonly say: Say;
  readonly changed: () => void;
  readonly log: Logger;
}

/** Decides on requests. Every change of state happens once, also under concurrent requests. */
export class Deciding {
  constructor(private readonly parts: DecidingParts) {}

  /**
   * Approves a request and adds its item with the rights of the viewer. When adding fails, the request is pending
   * again.
   * @throws {Conflict} `requests/already-decided`
   */
  async approve(
    request: RequestRecord,
    { viewer, download }: { readonly viewer: Viewer; readonly download: boolean },
  ): Promise<{ state: RequestState; seriesId: number; queued: number }> {
    const decision = { state: "approved", by: viewer.user.id, download } as const;
    if (!(await this.parts.records.decide(request.id, ["pending"], decision))) throw await this.#decided(request.id);
    this.parts.changed();
    const added = await this.#add(request, viewer, download);
    const state = await this.#settle(request, added.seriesId);
    return { state, ...added };
  }

  /** @throws {Conflict} `requests/already-decided` */
  async decline(request: RequestRecord, viewer: Viewer, reason: string | undefined): Promise<RequestState> {
    const decision = { state: "declined", by: viewer.user.id, reason: reason ?? null } as const;
    if (!(await this.parts.records.decide(request.id, ["pending"], decision))) throw await this.#decided(request.id);
    this.parts.changed();
    await this.#tell([request.user_id], {
      level: "warning",
      title: await this.parts.say("declined", { title: request.title }),
      body: reason ?? "",
    });
    return "declined";
  }

  /** @throws {Conflict} `requests/already-decided`; {LongboxError} `requests/not-your-request` */
  async withdraw(request: RequestRecord, viewer: Viewer): Promise<void> {
    if (request.user_id !== viewer.user.id && !viewer.may("requests.manage")) throw new NotYourRequest(request.id);
    const decision = { state: "withdrawn", by: viewer.user.id } as const;
    if (!(await this.parts.records.decide(request.id, ["pending"], decision))) throw await this.#decided(request.id);
    this.parts.changed();
  }

  /** Resumes approvals that a restart interrupted; those whose approver no longer exists are pending again. */
  async resume(signal: AbortSignal): Promise<void> {
    for (const request of await this.parts.records.listInState("approved")) {
      if (request.series_id !== null) continue;
      signal.throwIfAborted();
      const viewer = request.decided_by === null ? undefined : await this.parts.users.viewerOf(request.decided_by);
      if (!viewer?.may("requests.manage")) {
        await this.parts.records.reopen(request.id);
        continue;
      }
      try {
        const { seriesId } = await this.#add(request, viewer, request.download === 1);
        await this.#settle(request, seriesId);
      } catch (fault) {
        this.parts.log.warn("An interrupted approval failed.", { request: request.id, fault: String(fault) });
      }
    }
    this.parts.changed();
  }

  /** Fulfils the requests for series of which issues were added to the library. */
  async arrived(issueIds: readonly number[], everything: Viewer): Promise<void> {
    const open = [
      ...(await this.parts.records.listInState("approved")),
      ...(await this.parts.records.listInState("pending")),
    ];
    if (open.length === 0) return;
    const issues = await this.parts.library.findIssues(issueIds, everything);
    const seriesIds = new Set(issues.map(({ seriesId }) => seriesId));
    const volumes = new Set<string>();
    for (const id of seriesIds) {
      const series = await this.parts.library.findSeries(id, everything);
      if (series?.cvId !== undefined) volumes.add(String(series.cvId));
    }
    const works = await this.#worksAmong(open, new Set(issues.map(({ id }) => id)), everything);
    for (const request of open) {
      const isHere =
        this.parts.sources.idsOf(request.kind as RequestKind) === undefined
          ? (request.series_id !== null && seriesIds.has(request.series_id)) ||
            (request.kind === "comic" && volumes.has(request.external_id))
          : works.has(request.id);
      if (isHere) await this.#fulfil(request);
    }
  }

  /** The ids of requests whose work is among these issues, by the ids that the collection knows works by. */
  async #worksAmong(
    open: readonly RequestRecord[],
    issueIds: ReadonlySet<number>,
    everything: Viewer,
  ): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for (const [kind, requests] of Map.groupBy(open, (request) => request.kind)) {
      const known = this.parts.sources.idsOf(kind as RequestKind);
      if (known === undefined) continue;
      const ids = requests.map(({ external_id: id }) => id);
      const here = (await this.parts.library.findIssuesByIds(known.scheme, ids, everything)).filter(
        ({ issue }) => issueIds.has(issue.id) && known.isOfKind(issue.type),
      );
      const values = new Set(here.map(({ value }) => value));
      for (const { id, external_id: value } of requests) if (values.has(value)) found.add(id);
    }
    return found;
  }

  async #add(request: RequestRecord, viewer: Viewer, download: boolean): Promise<{ seriesId: number; queued: number }> {
    try {
      const source = this.parts.sources.of(request.kind as RequestKind);
      const added = await source.add(request.external_id, { viewer, download });
      await this.parts.records.added(request.id, added.seriesId);
      return added;
    } catch (fault) {
      await this.parts.records.reopen(request.id);
      this.parts.changed();
      throw fault;
    }
  }

  async #settle(request: RequestRecord, seriesId: number): Promise<RequestState> {
    this.parts.changed();
    await this.#tell([request.user_id], {
      level: "success",
      title: await this.parts.say("approved", { title: request.title }),
      body: await this.parts.say("approved.next"),
      url: `/series/${seriesId}`,
      seriesIds: [seriesId],
    });
    return (await this.parts.records.find(request.id))?.state as RequestState;
  }

  async #fulfil(request: RequestRecord): Promise<void> {
    const decided = await this.parts.records.decide(request.id, ["approved", "pending"], {
      state: "fulfilled",
      by: null,
    });
    if (!decided) return;
    this.parts.changed();
    const voters = (await this.parts.records.voters([request.id])).get(request.id) ?? [];
    const seriesId = (await this.parts.records.find(request.id))?.series_id ?? null;
    await this.#tell([request.user_id, ...voters], {
      level: "success",
      title: await this.parts.say("fulfilled", { title: request.title }),
      ...(seriesId !== null && { url: `/series/${seriesId}`, seriesIds: [seriesId] }),
    });
  }

  async #decided(id: number): Promise<Error> {
    const now = await this.parts.records.find(id);
    return now ? new AlreadyDecided(now.state as RequestState) : new RequestNotFound(id);
  }

  async #tell(
    userIds: readonly number[],
    notice: Omit<Parameters<NotificationsContract["notify"]>[0], "category">,
  ): Promise<void> {
    if (!this.parts.notifications.available()) return;
    try {
      await this.parts.notifications.use.notify({ ...notice, category: "request" }, { userIds });
    } catch (fault) {
      this.parts.log.warn("A user could not be notified of a request.", { fault: String(fault) });
    }
  }
}
