/** What looking into an archive shows. */
export interface Look {
  readonly pages: number;
  /** Why its pages cannot be read. */
  readonly error: string | undefined;
  /** Bytes that are the same only for the same contents. */
  readonly identity?: Uint8Array;
  /** Its pages are turned from right to left, where the archive itself says so. */
  readonly rightToLeft?: boolean;
  /** ComicInfo.xml from inside. */
  readonly comicInfo: Buffer | undefined;
  /** MetronInfo.xml from inside. */
  readonly metronInfo?: Buffer | undefined;
}

/** What is wrong with an archive that has so many pages. */
export function emptyProblem(pages: number): string | undefined {
  return pages === 0 ? "The archive holds no pages." : undefined;
}
