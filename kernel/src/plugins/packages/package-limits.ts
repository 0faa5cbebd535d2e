/** What a package may be at most. */
export interface PackageLimits {
  readonly tarballBytes: number;
  readonly entries: number;
  readonly unpackedBytes: number;
  /** Of one unpacked file. */
  readonly fileBytes: number;
  /** How long loading its code may take. */
  readonly trialMs: number;
  /** How long one document of the registry may take. */
  readonly documentMs: number;
  /** How long it may take the registry to say that it is there. */
  readonly pingMs: number;
  /** How long the bytes of a package may take. */
  readonly tarballMs: number;
  /** How long a request for the catalog waits for the registry, however many packages that has. */
  readonly catalogMs: number;
}

export const packageLimits: PackageLimits = {
  tarballBytes: 256 * 1024 * 1024,
  entries: 20_000,
  unpackedBytes: 512 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  trialMs: 15_000,
  documentMs: 10_000,
  pingMs: 3_000,
  tarballMs: 120_000,
  catalogMs: 20_000,
};
