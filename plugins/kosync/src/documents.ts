import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesContent, FingerprintMatch } from "@longbox/files/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";

export interface DocumentSources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
}

/** The work that a document of an e-reader is a copy of. */
export interface KnownDocument {
  readonly issue: Issue;
  /** KOReader names positions in it by page numbers; otherwise by XPointers. */
  readonly isPaged: boolean;
}

const epub = "application/epub+zip";

/** Finds works by the ids that KOReader gives to its files: hashes of their contents, or of their names. */
export class Documents {
  constructor(private readonly sources: DocumentSources) {}

  /** Undefined for files that the library does not have, and for those that are hidden from the viewer. */
  async find(document: string, viewer: Viewer): Promise<KnownDocument | undefined> {
    const issue = (await this.#byContents(document, viewer)) ?? (await this.#byName(document, viewer));
    if (!issue) return undefined;
    const file = (await this.sources.files.findFiles([issue.id])).get(issue.id);
    return { issue, isPaged: issue.pages > 0 && file?.contentType !== epub };
  }

  async #byContents(value: string, viewer: Viewer): Promise<Issue | undefined> {
    const matches = await this.sources.files.findByFingerprint({ scheme: "partial-md5", value }, viewer);
    return (await this.#issuesOf(matches, viewer))[0];
  }

  /** Several works can have files of one name, such as `001.cbz`: then it is the one that the user read last. */
  async #byName(value: string, viewer: Viewer): Promise<Issue | undefined> {
    const matches = await this.sources.files.findByFingerprint({ scheme: "name-md5", value }, viewer);
    const present = matches.filter(({ former }) => !former);
    const issues = await this.#issuesOf(present.length > 0 ? present : matches, viewer);
    if (issues.length < 2) return issues[0];
    const ids = issues.map(({ id }) => id);
    const states = await this.sources.reading.find(viewer, ids);
    const [last] = [...states].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    return issues.find(({ id }) => id === last?.issueId);
  }

  /** Each once, in the order of the matches. */
  async #issuesOf(matches: readonly FingerprintMatch[], viewer: Viewer): Promise<Issue[]> {
    const ids = [...new Set(matches.map(({ issueId }) => issueId))];
    if (ids.length === 0) return [];
    const found = new Map((await this.sources.library.findIssues(ids, viewer)).map((issue) => [issue.id, issue]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
