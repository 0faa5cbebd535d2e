import type { TinyPlugin } from "../../support.js";

/** One mistake that an author can make, and what the installation answers. */
export interface MistakeCase {
  /** Its number in the list of the host's criteria. */
  readonly number: number;
  readonly title: string;
  readonly plugin: Omit<TinyPlugin, "id" | "package">;
  /** Files that are other than the plugin's own, or missing. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  readonly id?: string;
  /** The code of the refusal, or of the mistake in its details; of a warning where `warns`. */
  readonly code: string;
  /** What the sentence names. */
  readonly names: string | RegExp;
  readonly warns?: true;
  /** What `longbox-plugin check` says where it sees the mistake in the sources, before there is a package. */
  readonly inSources?: {
    readonly code?: string;
    readonly names?: string | RegExp;
    /** There is no source of the entry. */
    readonly without?: "entry";
  };
}
