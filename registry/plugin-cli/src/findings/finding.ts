// One line of what `check` found.

/** Something that an installation would refuse, or that should be improved. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** The code of the mistake, or of the error that the server would answer with. */
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Relative to the plugin's folder. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** A finding as it comes from the server or from packing: where it is, is looked up afterwards. */
export type Raw = Omit<Finding, "remedy">;
