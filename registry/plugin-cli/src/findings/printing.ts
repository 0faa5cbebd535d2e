// The result of a check, for people and for programs.
import { levels, type Quality } from "../quality/levels.js";
import type { Finding } from "./finding.js";

/** What `check` says of a plugin. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  /** Left out where the plugin could not be installed: nothing is known of it then. */
  readonly quality?: Quality | undefined;
}

/** Prints one finding a line, as compilers do, with the remedy below it; then the sheet of quality. */
export function asText({ findings, quality }: CheckResult): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return [
    ...findings.map(line),
    ...(quality === undefined ? [] : sheet(quality)),
    `${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`,
  ].join("\n");
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

export const asJson = (result: CheckResult): string => JSON.stringify(result, undefined, 2);

export const hasError = ({ findings }: CheckResult): boolean => findings.some(({ severity }) => severity === "error");

function line({ severity, code, message, file, line: at, remedy }: Finding): string {
  const place = file === undefined ? "" : `${file}${at === undefined ? "" : `:${at}`}: `;
  return `${place}${severity} ${code}: ${message}\n  ${remedy}`;
}

function sheet({ level, rules }: Quality): string[] {
  const reached = level === undefined ? "Quality: below bronze" : `Quality: ${level}`;
  const next = levels.find((each) => rules.some((rule) => rule.level === each && !rule.met));
  const missing = rules.filter((rule) => rule.level === next && !rule.met);
  const counts = levels.map((each) => {
    const own = rules.filter((rule) => rule.level === each);
    return `${each} ${own.filter(({ met }) => met).length} of ${own.length}`;
  });
  return [
    `${reached} (${counts.join(", ")})`,
    ...missing.map(({ rule, found, remedy }) => `  for ${next}: ${rule}: ${found} ${remedy}`),
  ];
}
