// What a place for copies of backups can do: a folder, or a bucket of an S3-compatible storage.

/** A copy of a backup. */
export interface Copy {
  /** The backup's name; one that is encrypted ends with `.age`. */
  readonly name: string;
  /** ISO 8601, UTC: when the backup was made. */
  readonly createdAt: string;
  readonly sizeBytes: number;
}

/** Where copies are kept. Files that are no copies are neither listed nor touched. */
export interface CopyTarget {
  /** For people, without secrets: `/mnt/backups`, `s3.example.org/bucket/longbox/`. */
  readonly title: string;
  /** The newest first. */
  list(): Promise<Copy[]>;
  /** Writes a copy: under its name it is there whole or not at all. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  read(name: string): Promise<AsyncIterable<Uint8Array>>;
  remove(name: string): Promise<void>;
}

const copyName = /^longbox-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz(\.age)?$/;

/** The copies among files, the newest first. Their names say when they were made: not every storage keeps times. */
export function copiesAmong(files: ReadonlyArray<{ readonly name: string; readonly sizeBytes: number }>): Copy[] {
  const copies = files.flatMap(({ name, sizeBytes }) => {
    const [, day, hour, minute, second, rest] = copyName.exec(name) ?? [];
    return day === undefined ? [] : [{ name, createdAt: `${day}T${hour}:${minute}:${second}.${rest}Z`, sizeBytes }];
  });
  return copies.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** Those that are no longer to be kept; never the newest. @param copies - The newest first */
export function outdated(copies: readonly Copy[], keep: { readonly count: number; readonly days: number }): Copy[] {
  const oldest = keep.days === 0 ? -Infinity : Date.now() - keep.days * 86_400_000;
  return copies.filter((copy, place) => place > 0 && (place >= keep.count || Date.parse(copy.createdAt) < oldest));
}
