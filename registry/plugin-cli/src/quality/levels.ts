// The levels of quality, and the rules of each.

/** From the lowest. A plugin has a level when it meets the rules of it and of those below. */
export const levels = ["bronze", "silver", "gold", "platinum"] as const;
export type Level = (typeof levels)[number];

interface Rule {
  readonly level: Level;
  /** What the rule asks for, as a sentence. */
  readonly asks: string;
  /** What an author does to meet it. */
  readonly remedy: string;
}

/** All rules, by their names. */
export const rules = {
  "is-installed": {
    level: "bronze",
    asks: "An installation does not refuse the plugin, and it becomes active.",
    remedy: "Correct the errors above.",
  },
  "has-papers": {
    level: "bronze",
    asks: "The package names its licence and its repository, and has a README.",
    remedy: "Add what the warnings above name.",
  },
  "is-declared": {
    level: "bronze",
    asks: "Manifest, settings and code agree: settings have titles, contracts that are named are used, events are declared.",
    remedy: "Follow the warnings above.",
  },
  "starts-unconfigured": {
    level: "silver",
    asks: "The plugin is active before anyone has changed a setting.",
    remedy: "Give every setting a default with which the plugin can wait for a better one.",
  },
  "stops-cleanly": {
    level: "silver",
    asks: "When it is switched off, it leaves nothing open.",
    remedy: "Pass what has to end to context.own.",
  },
  "starts-again": {
    level: "silver",
    asks: "After it was switched off, it can be switched on again.",
    remedy: "Keep no state in the module: begin and end all work in activate.",
  },
  "has-tests": {
    level: "silver",
    asks: "There are tests in test/.",
    remedy: "Write test/<name>.test.ts with startTestHost of @longbox/sdk/testing.",
  },
  "describes-answers": {
    level: "gold",
    asks: "Every GET route that answers in JSON has a response schema, so that tests and the API document know its shape.",
    remedy: "Add response to these routes.",
  },
  "runs-isolated": {
    level: "gold",
    asks: "The plugin becomes active in a process of its own, too.",
    remedy:
      "Use the context in place of Node's own file system, network and processes, and change what the message names.",
  },
  "has-changelog": {
    level: "gold",
    asks: "The package has a CHANGELOG.md, which the server shows to administrators.",
    remedy: `Write CHANGELOG.md, with a heading for each version, and list it under "files".`,
  },
  "is-strict": {
    level: "platinum",
    asks: "The sources are TypeScript, and tsconfig.json sets strict.",
    remedy: `Write src/index.ts, and set "strict": true in tsconfig.json.`,
  },
  "is-translated": {
    level: "platinum",
    asks: "The texts of the manifest and the errors are there in another language, in messages/<language>.json.",
    remedy: `Write messages/de.json or another language, and list messages under "files".`,
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** What one rule found. */
export interface Judged {
  readonly rule: RuleName;
  readonly level: Level;
  readonly met: boolean;
  /** What it saw, as a sentence. */
  readonly found: string;
  readonly remedy: string;
}

export interface Quality {
  /** The highest level whose rules, and those below, are all met. */
  readonly level: Level | undefined;
  readonly rules: readonly Judged[];
}

/** @param found - of each rule what it saw, as a sentence, and whether it is met */
export function qualityOf(
  found: Readonly<Record<RuleName, { readonly met: boolean; readonly found: string }>>,
): Quality {
  const judged = (Object.keys(rules) as RuleName[]).map((rule) => {
    const { level, remedy } = rules[rule];
    return { rule, level, ...found[rule], remedy };
  });
  const firstMissed = levels.findIndex((level) => judged.some((rule) => rule.level === level && !rule.met));
  const level = firstMissed < 0 ? levels.at(-1) : levels[firstMissed - 1];
  return { level, rules: judged };
}
