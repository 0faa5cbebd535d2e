/** What a package may be at most. */
export interface PackageLimits {
  readonly tarballBytes: number;
  readonly entries: number;
  readonly unpackedBytes: number;
}

export const packageLimits: PackageLimits = { tarballBytes: 256 * 1024 * 1024, entries: 20_000, unpackedBytes: 512 * 1024 * 1024 };
