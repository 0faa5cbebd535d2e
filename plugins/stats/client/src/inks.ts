import { t } from "@longbox/sdk/ui";
import { css } from "lit";
import type { Publisher } from "@longbox/stats/api";

/** How many publishers are printed in an ink of their own; the others share a grey one. */
export const ownInks = 6;

export interface InkedPublisher {
  readonly name: string;
  readonly ink: string;
  readonly issues: number;
  readonly series?: number;
  readonly bytes?: number;
}

/** The publishers with the most issues, then all the others as one, then what has no publisher. */
export function inked(publishers: readonly Publisher[], ownedIssues: number): readonly InkedPublisher[] {
  const owning = publishers.filter(({ issues }) => issues > 0);
  const named = owning
    .slice(0, ownInks)
    .map(({ publisher, ...rest }, index) => ({ name: publisher, ink: `ink-${index}`, ...rest }));
  const others = owning.slice(ownInks);
  const sum = (of: (publisher: Publisher) => number) => others.reduce((total, publisher) => total + of(publisher), 0);
  const rest = {
    name: t("inks.more", { others: others.length }),
    ink: "ink-others",
    issues: sum(({ issues }) => issues),
    series: sum(({ series }) => series),
    bytes: sum(({ bytes }) => bytes),
  };
  const unknown = {
    name: t("inks.noPublisherKnown"),
    ink: "ink-none",
    issues: ownedIssues - owning.reduce((total, { issues }) => total + issues, 0),
  };
  return [...named, ...(others.length > 0 ? [rest] : []), ...(unknown.issues > 0 ? [unknown] : [])];
}

/** The inks that covers without a picture are printed in too, brighter by night. */
export const inks = css`
  .ink-0 {
    --ink: light-dark(#2a3cc9, #8f9dff);
  }
  .ink-1 {
    --ink: light-dark(#c2412b, #f2836d);
  }
  .ink-2 {
    --ink: light-dark(#1b7a5a, #58c49b);
  }
  .ink-3 {
    --ink: light-dark(#b57f00, #ecc052);
  }
  .ink-4 {
    --ink: light-dark(#8a3fa0, #d094e4);
  }
  .ink-5 {
    --ink: light-dark(#1f7fa6, #66c1e6);
  }
  .ink-others {
    --ink: light-dark(#6d675c, #a29e92);
  }
  .ink-none {
    --ink: light-dark(#b9ae98, #59607f);
  }
  .ink-good {
    --ink: var(--lb-success);
  }
  .ink-bad {
    --ink: var(--lb-danger);
  }
  .ink-accent {
    --ink: var(--lb-accent);
  }
`;
