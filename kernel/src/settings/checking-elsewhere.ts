/** Why a value does not fit, as zod says it. */
export interface SettingIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Checks values by rules that are code of an isolated plugin, in its process. */
export type CheckElsewhere = (values: Readonly<Record<string, unknown>>) => Promise<readonly SettingIssue[]>;

/**
 * What was found out about the values of a group after a change. Others may change the group before they are stored.
 */
export interface CheckedValues {
  /** What was stored when they were checked, as JSON. */
  readonly former: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly SettingIssue[];
}

export const jsonOf = (values: Readonly<Record<string, unknown>>): string => JSON.stringify(values);
