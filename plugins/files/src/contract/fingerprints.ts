/**
 * A text by which a device names a file of which it has a copy. Both schemes are those of KOReader:
 * - `partial-md5`: the MD5 of up to twelve samples of 1 kB, at the offsets 0, 1 kB, 4 kB, 16 kB and so on to 1 GB;
 * - `name-md5`: the MD5 of the file's name with its ending and without its folder.
 */
export interface Fingerprint {
  readonly scheme: "partial-md5" | "name-md5";
  /** 32 hexadecimal digits in lower case. */
  readonly value: string;
}

/** An issue of which a file has or had a fingerprint. */
export interface FingerprintMatch {
  readonly issueId: number;
  /** The file that has it now; undefined when it is one of a former version. */
  readonly path: string | undefined;
  /** The file was tagged, replaced, renamed or removed since. */
  readonly former: boolean;
}

/** A fingerprint of a file that holds, or held, an issue. */
export interface IssueFingerprint extends Fingerprint {
  readonly former: boolean;
}
