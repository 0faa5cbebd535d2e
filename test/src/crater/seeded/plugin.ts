/**
 * A version as its author published it once. These are never changed: they stand for the plugins of others, which are
 * not rebuilt when the SDK changes. A new one is added when a release adds something that authors will use.
 */
export interface SeededVersion {
  readonly version: string;
  /** What the manifest holds besides id, title and description. */
  readonly longbox?: Readonly<Record<string, unknown>>;
  /** The built modules and other files: path to text. */
  readonly files: Readonly<Record<string, string>>;
}

export interface SeededPlugin {
  readonly name: string;
  readonly id: string;
  readonly versions: readonly SeededVersion[];
}
