import type { CollectionContract, CatalogContract } from "@longbox/collection/contract";
import type { NotificationsContract } from "@longbox/notifications/contract";
import { systemViewer, type KernelUsers, type LocalizedText, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { OwnedRecords } from "../keeping/owned-records.js";
import type { ReleaseRecord, ReleaseRecords } from "../keeping/release-records.js";
import { nameOf } from "../showing/releases.js";
import type { MatchedRelease, Matching } from "../showing/matching.js";
import { dayOf, rangeOfWeek, weekOf } from "../weeks.js";

export interface TellingParts {
  readonly records: ReleaseRecords;
  readonly owned: OwnedRecords;
  readonly matching: Matching;
  readonly library: Pick<CollectionContract, "findFollowers">;
  readonly catalog: Pick<CatalogContract, "findByVolumes">;
  readonly users: KernelUsers;
  readonly notifications: OptionalCapability<NotificationsContract>;
  readonly say: Say;
  readonly isOn: () => boolean;
}

const mostNamed = 8;

/**
 * Tells users what of their pull lists comes out this week: in one notification, which a later one takes the place of.
 */
export class Telling {
  constructor(private readonly parts: TellingParts) {}

  async tell(): Promise<void> {
    const { notifications, records, isOn } = this.parts;
    if (!isOn() || !notifications.available()) return;
    const week = weekOf(dayOf(Date.now()));
    const releases = await records.list(rangeOfWeek(week)!);
    for (const userId of await this.#followers(releases)) {
      const viewer = await this.parts.users.viewerOf(userId);
      if (viewer) await this.#tellUser(viewer, week, releases);
    }
  }

  /** Users who follow a series or a publisher that something comes out of. */
  async #followers(releases: readonly ReleaseRecord[]): Promise<ReadonlySet<number>> {
    const series = await this.parts.catalog.findByVolumes(
      releases.map(({ volume_id }) => volume_id),
      systemViewer,
    );
    const followers = await this.parts.library.findFollowers(series.map(({ seriesId }) => seriesId));
    return new Set([...followers.map(({ userId }) => userId), ...(await this.parts.owned.publisherFollowers())]);
  }

  /** Marked afterwards: a server that is killed in between says it again, in place of what it said. */
  async #tellUser(viewer: Viewer, week: string, releases: readonly ReleaseRecord[]): Promise<void> {
    const { owned, notifications, matching, say } = this.parts;
    const mine = (await matching.match(releases, viewer)).filter((release) => release.mine && !release.owned);
    const ids = mine.map(({ release }) => release.id);
    const untold = await owned.untold(viewer.user.id, ids);
    const [first] = mine;
    if (!first || untold.length === 0) return;
    await notifications.use.notify(
      {
        category: "release",
        title:
          mine.length === 1
            ? await say("week.one", { item: nameOf(first) })
            : await say("week.many", { count: mine.length }),
        body: mine.length === 1 ? (first.release.title ?? "") : await bodyOf(say, mine),
        url: `/releases/${week}`,
        seriesIds: [...new Set(mine.flatMap(({ seriesId }) => seriesId ?? []))],
        key: `releases ${week}`,
      },
      { userIds: [viewer.user.id] },
    );
    await owned.markTold(viewer.user.id, untold);
  }
}

async function bodyOf(say: Say, mine: readonly MatchedRelease[]): Promise<string | LocalizedText> {
  const names = mine.slice(0, mostNamed).map(nameOf).join(", ");
  return mine.length > mostNamed ? say("week.more", { names, more: mine.length - mostNamed }) : names;
}
