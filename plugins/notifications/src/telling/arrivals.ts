import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { publicViewer, systemViewer } from "@longbox/sdk";
import type { KernelUsers, LocalizedText, Logger, Releasable, Viewer } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { Recipients } from "../contract.js";
import type { ArrivalRecords } from "../keeping/arrival-records.js";
import type { PreferenceRecords } from "../keeping/preference-records.js";
import type { Telling } from "./telling.js";

export interface ArrivalParts {
  readonly library: Pick<CollectionContract, "findIssues" | "findFollowers">;
  readonly users: KernelUsers;
  readonly arrivals: ArrivalRecords;
  readonly preferences: PreferenceRecords;
  readonly telling: Telling;
  readonly say: Say;
  readonly log: Logger;
  /** How long to wait for further additions before users are notified, in milliseconds. */
  readonly joinMs: () => number;
}

/** The maximum total delay: a scan of several days is announced in parts. */
const longestJoins = 10;
const mostNamed = 5;
/** More additions than this are counted instead of named, because they come from the first scan of a library. */
const mostLookedAt = 5_000;

/** Announces additions to the library in one notification, such as "12 new in 4 series". */
export class Arrivals implements Releasable {
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #working: Promise<void> = Promise.resolve();
  #released = false;

  constructor(private readonly parts: ArrivalParts) {}

  /** Announces the additions from before a restart. */
  async begin(): Promise<void> {
    if (await this.parts.arrivals.any()) this.#wait();
  }

  /** Issues are in the library now. */
  arrived(issueIds: readonly number[]): void {
    this.#then(async () => {
      await this.parts.arrivals.add(issueIds, Date.now());
      this.#wait();
    });
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #wait(): void {
    if (this.#released) return;
    const rest = this.parts.joinMs();
    this.#firstAt ??= Date.now();
    const left = this.#firstAt + rest * longestJoins - Date.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#then(() => this.#tell()), Math.max(0, Math.min(rest, left)));
    this.#timer.unref();
  }

  #then(work: () => Promise<void>): void {
    this.#working = this.#working.then(async () => {
      if (this.#released) return;
      await work().catch((fault: unknown) =>
        this.parts.log.error("Additions could not be announced.", { fault: String(fault) }),
      );
    });
  }

  async #tell(): Promise<void> {
    this.#firstAt = undefined;
    const issueIds = await this.parts.arrivals.list(mostLookedAt);
    if (issueIds.length === 0) return;
    const users = await this.parts.users.listWithPermission("library.view");
    const preferences = await this.parts.preferences.findAll(users.map(({ id }) => id));
    const groups = new Grouping(this.parts.library, issueIds);
    const alike = new Map<boolean, number[]>();
    for (const { id } of users) {
      const viewer = await this.parts.users.viewerOf(id);
      if (!viewer) continue;
      const { seesRestricted } = viewer;
      if (preferences.get(id)?.imports === "followed")
        await this.#tellOf(await groups.followedBy(viewer), { userIds: [id] });
      else alike.set(seesRestricted, [...(alike.get(seesRestricted) ?? []), id]);
    }
    for (const [seesRestricted, userIds] of alike) await this.#tellOf(await groups.seen(seesRestricted), { userIds });
    await this.parts.arrivals.remove(issueIds);
    if (await this.parts.arrivals.any()) this.#wait();
  }

  async #tellOf(issues: readonly Issue[], recipients: Recipients): Promise<void> {
    const [first] = issues;
    if (!first) return;
    const seriesIds = [...new Set(issues.map(({ seriesId }) => seriesId))];
    const isOne = issues.length === 1;
    await this.parts.telling.notify(
      {
        category: "import",
        level: "success",
        title: await this.#titleOf(issues, seriesIds.length),
        body: isOne ? "" : await this.#listed(namesOf(issues, seriesIds)),
        url: isOne
          ? `/issue/${first.cvIssueId}`
          : seriesIds.length === 1
            ? `/series/${first.seriesId}`
            : "/library?sort=added",
        seriesIds,
      },
      recipients,
    );
  }

  #titleOf(issues: readonly Issue[], series: number): Promise<LocalizedText> {
    const { say } = this.parts;
    const [first] = issues;
    const count = issues.length;
    if (first && count === 1) return say("arrivals.one", { item: first.label.full });
    if (first && series === 1) return say("arrivals.ofSeries", { count, series: first.seriesTitle });
    return say("arrivals.inSeries", { count, series });
  }

  async #listed(names: readonly string[]): Promise<string | LocalizedText> {
    const shown = names.slice(0, mostNamed).join(", ");
    const more = names.length - mostNamed;
    return more > 0 ? this.parts.say("arrivals.more", { names: shown, more }) : shown;
  }
}

/** The issues that are visible to users with the same rights, looked up once for all of these users. */
class Grouping {
  readonly #seen = new Map<boolean, Promise<readonly Issue[]>>();

  constructor(
    private readonly library: ArrivalParts["library"],
    private readonly issueIds: readonly number[],
  ) {}

  async seen(seesRestricted: boolean): Promise<readonly Issue[]> {
    const viewer = seesRestricted ? systemViewer : publicViewer;
    let issues = this.#seen.get(seesRestricted);
    if (!issues) this.#seen.set(seesRestricted, (issues = this.library.findIssues(this.issueIds, viewer)));
    return (await issues).filter(({ owned }) => owned);
  }

  async followedBy({ user, seesRestricted }: Viewer): Promise<readonly Issue[]> {
    const issues = await this.seen(seesRestricted);
    const followers = await this.library.findFollowers([...new Set(issues.map(({ seriesId }) => seriesId))]);
    const own = new Set(followers.filter(({ userId }) => userId === user.id).map(({ seriesId }) => seriesId));
    return issues.filter(({ seriesId }) => own.has(seriesId));
  }
}

function namesOf(issues: readonly Issue[], seriesIds: readonly number[]): readonly string[] {
  if (seriesIds.length === 1) return issues.map(({ label }) => label.short);
  return seriesIds.map((id) => {
    const own = issues.filter(({ seriesId }) => seriesId === id);
    return own.length === 1 ? (own[0]?.label.full ?? "") : `${own[0]?.seriesTitle} (${own.length})`;
  });
}
