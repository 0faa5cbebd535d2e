import { kindOfSeries, type IssueEvidence, type SeriesEvidence } from "@longbox/collection/contract";

/** A series as matching sees it. */
export interface UnderstoodSeries {
  readonly evidence: SeriesEvidence;
  /** What its volume may be called, the best first. */
  readonly titles: readonly string[];
  /** The titles of its aliases. */
  readonly aliases: readonly string[];
  /** The issues that its volume lists, with their numbers as it lists them. */
  readonly issues: readonly IssueEvidence[];
  /** Whether it is one work that is complete in itself. */
  readonly isOneShot: boolean;
}

const kindWords = { annual: "Annual", special: "Special" } as const;

/**
 * Annuals are volumes of their own at providers: a series of nothing but annuals is called so, and never its parent.
 * Where it has regular issues too, its annuals and collected editions are not those of its volume.
 */
export function understandSeries(evidence: SeriesEvidence): UnderstoodSeries {
  const kind = onlyKind(evidence);
  const called = (title: string) => (kind === undefined || kindOfSeries(title) === kind ? title : asKind(title, kind));
  const issues = evidence.issues.filter((issue) => issue.kind === (kind ?? "issue"));
  const isOneShot = evidence.issues.length === 1 && evidence.issues[0]!.kind === "one-shot";
  return {
    evidence,
    titles: [called(evidence.title)],
    aliases: evidence.aliases.map(called),
    issues: (isOneShot ? evidence.issues : issues).map((issue) => ({
      ...issue,
      number: issue.number.replace(/^(?:Annual|Special)\s*/, ""),
    })),
    isOneShot,
  };
}

type SeparateKind = keyof typeof kindWords;

function onlyKind({ issues }: SeriesEvidence): SeparateKind | undefined {
  const kind = issues[0]?.kind;
  if (kind !== "annual" && kind !== "special") return undefined;
  return issues.every((issue) => issue.kind === kind) ? kind : undefined;
}

const asKind = (title: string, kind: SeparateKind) => `${title} ${kindWords[kind]}`;
