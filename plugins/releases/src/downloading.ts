import type { MetadataContract } from "@longbox/metadata/contract";
import type { Viewer } from "@longbox/sdk";
import { AlreadyInLibrary } from "./errors.js";
import type { Releases } from "./showing/releases.js";

export interface Download {
  readonly cvIssueId: number;
  /** The whole series is tracked and followed; otherwise only the issue is wanted. */
  readonly track: boolean;
}

/** Wants a release, and queues it where a plugin gets what is wanted. */
export class Downloading {
  constructor(
    private readonly releases: Releases,
    private readonly metadata: Pick<MetadataContract, "getVolume" | "addVolume">,
  ) {}

  /**
   * @returns the series, and how many issues were queued: 0 where no plugin gets any
   * @throws {NotFound} `releases/release-not-found` @throws {Conflict} `releases/already-owned`
   */
  async download({ cvIssueId, track }: Download, viewer: Viewer): Promise<{ seriesId: number; queued: number }> {
    const { release, issue } = await this.releases.get(cvIssueId, viewer);
    if (issue?.owned) throw new AlreadyInLibrary(issue.seriesId);
    const kept = await this.metadata.getVolume(release.volume_id, { urgency: "person" });
    // An answer from before the issue was announced does not name it.
    const fresh = !kept.issues.some((listed) => listed.cvIssueId === cvIssueId);
    const { seriesId, queued } = await this.metadata.addVolume(
      release.volume_id,
      {
        viewer,
        cvIssueIds: [cvIssueId],
        why: "picked",
        reason: "From the list of releases",
        only: !track,
        download: true,
      },
      { urgency: "person", fresh },
    );
    return { seriesId, queued };
  }
}
