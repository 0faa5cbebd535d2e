import type { CatalogContract, CollectionContract, Issue } from "@longbox/collection/contract";
import { systemViewer, type Viewer } from "@longbox/sdk";
import type { OwnedRecords } from "../keeping/owned-records.js";
import type { ReleaseRecord } from "../keeping/release-records.js";

export interface MatchingParts {
  readonly library: Pick<CollectionContract, "findIssuesByClientIds" | "findFollowers" | "listWanted">;
  readonly catalog: Pick<CatalogContract, "findByVolumes">;
  readonly owned: OwnedRecords;
}

/** A release with what the library and the viewer have to do with it. */
export interface MatchedRelease {
  readonly release: ReleaseRecord;
  /** The series of the library that has the volume, or the issue. */
  readonly seriesId: number | undefined;
  /** The issue of the library. */
  readonly issue: Issue | undefined;
  readonly tracked: boolean;
  readonly owned: boolean;
  readonly wanted: boolean;
  /** The viewer follows the series. */
  readonly followed: boolean;
  /** It is the first issue of its volume. */
  readonly first: boolean;
  /**
   * It is on the viewer's pull list: of a series that the viewer follows, or the first issue of a publisher's that he
   * follows.
   */
  readonly mine: boolean;
}

/** What the library has of some releases. Who may not know of a series never gets to see a release of it. */
interface Known {
  readonly issues: ReadonlyMap<number, Issue>;
  readonly seriesOf: ReadonlyMap<number, number>;
  readonly hiddenVolumes: ReadonlySet<number>;
  readonly wanted: ReadonlySet<number>;
}

/** The longest part of what is wanted, as the collection gives it. */
const wantedAtOnce = 1000;

/** Compares releases with the collection. */
export class Matching {
  constructor(private readonly parts: MatchingParts) {}

  /** In the order given; those of series that the viewer may not know of are left out. */
  async match(releases: readonly ReleaseRecord[], viewer: Viewer): Promise<MatchedRelease[]> {
    const known = await this.#known(releases, viewer);
    const visible = releases.filter(({ id, volume_id }) => {
      const isHidden = known.hiddenVolumes.has(volume_id) || known.issues.get(id)?.restricted === true;
      return viewer.seesRestricted || !isHidden;
    });
    const followed = await this.#followed(visible, known, viewer);
    const publishers = await this.parts.owned.followedPublishers(viewer.user.id);
    return visible.map((release) => toMatched(release, known, { followed, publishers }));
  }

  async #known(releases: readonly ReleaseRecord[], viewer: Viewer): Promise<Known> {
    const { library, catalog } = this.parts;
    const volumeIds = [...new Set(releases.map(({ volume_id }) => volume_id))];
    const all = await catalog.findByVolumes(volumeIds, systemViewer);
    const visible = viewer.seesRestricted ? all : await catalog.findByVolumes(volumeIds, viewer);
    const seriesOf = new Map(visible.map(({ cvId, seriesId }) => [cvId, seriesId]));
    const found = await library.findIssuesByClientIds(
      releases.map(({ id }) => id),
      systemViewer,
    );
    const issues = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    return {
      issues,
      seriesOf,
      hiddenVolumes: new Set(all.map(({ cvId }) => cvId).filter((cvId) => !seriesOf.has(cvId))),
      wanted: await this.#wanted(found.map(({ issue }) => issue)),
    };
  }

  async #wanted(issues: readonly Issue[]): Promise<ReadonlySet<number>> {
    const ids = issues.filter(({ owned }) => !owned).map(({ id }) => id);
    const wanted = new Set<number>();
    for (let start = 0; start < ids.length; start += wantedAtOnce) {
      const among = ids.slice(start, start + wantedAtOnce);
      const found = await this.parts.library.listWanted({ afterId: 0, limit: wantedAtOnce, among }, systemViewer);
      for (const { issue } of found) wanted.add(issue.id);
    }
    return wanted;
  }

  async #followed(releases: readonly ReleaseRecord[], known: Known, { user }: Viewer): Promise<ReadonlySet<number>> {
    const seriesIds = new Set(releases.flatMap((release) => seriesOf(release, known) ?? []));
    const followers = await this.parts.library.findFollowers([...seriesIds]);
    return new Set(followers.filter(({ userId }) => userId === user.id).map(({ seriesId }) => seriesId));
  }
}

const seriesOf = ({ id, volume_id }: ReleaseRecord, { issues, seriesOf: series }: Known): number | undefined =>
  series.get(volume_id) ?? issues.get(id)?.seriesId;

function toMatched(
  release: ReleaseRecord,
  known: Known,
  own: { readonly followed: ReadonlySet<number>; readonly publishers: ReadonlyMap<string, string> },
): MatchedRelease {
  const issue = known.issues.get(release.id);
  const seriesId = seriesOf(release, known);
  const followed = seriesId !== undefined && own.followed.has(seriesId);
  const first = /^0*1$/.test(release.number.trim());
  const isNewOfPublisher = first && release.publisher_key !== null && own.publishers.has(release.publisher_key);
  return {
    release,
    seriesId,
    issue,
    tracked: known.seriesOf.has(release.volume_id) || issue?.owned === true,
    owned: issue?.owned ?? false,
    wanted: issue !== undefined && known.wanted.has(issue.id),
    followed,
    first,
    mine: followed || isNewOfPublisher,
  };
}
