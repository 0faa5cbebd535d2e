/** What a container says of the book in it, before it is interpreted. Texts are as they stand in the file. */
export interface AudioTags {
  readonly title?: string;
  readonly album?: string;
  readonly artist?: string;
  readonly albumArtist?: string;
  readonly composer?: string;
  readonly narrator?: string;
  readonly series?: string;
  readonly seriesPart?: string;
  readonly description?: string;
  readonly language?: string;
  readonly date?: string;
  readonly publisher?: string;
  readonly genre?: string;
  readonly asin?: string;
  readonly isbn?: string;
  readonly disc?: string;
  readonly track?: string;
  readonly grouping?: string;
  /** The XML text of OverDrive's markers. */
  readonly overDrive?: string;
}

export type TagName = keyof AudioTags;
export type MutableTags = { -readonly [Name in TagName]?: AudioTags[Name] };

/** Where a chapter begins, in milliseconds. */
export interface Mark {
  readonly startMs: number;
  readonly title: string;
}

/** A run of bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** One audio file, as its headers describe it. */
export interface Recording {
  /** `aac`, `alac`, `mp3`, `flac`, `opus`, `vorbis`; or what a container calls another codec. */
  readonly codec: string;
  readonly milliseconds: number;
  readonly tags: AudioTags;
  /** In the order of the file; empty when it has no chapters. */
  readonly marks: readonly Mark[];
  /** The picture in it. */
  readonly picture: ByteRange | undefined;
  /** There is one in its comments, where it is no range of bytes. */
  readonly hasPictureComment?: boolean;
  /** Of an MP3 file, the bytes between its tags that can be joined with those of other files. */
  readonly frames: ByteRange | undefined;
}

/** Longer texts of tags are cut. */
const longestText = 20_000;

/** Keeps the first value of each tag. */
export function keepTag(tags: MutableTags, name: TagName | undefined, text: string): void {
  const value = text.replaceAll("\0", " ").trim();
  if (name !== undefined && value !== "") tags[name] ??= value.slice(0, longestText);
}
