import { z } from "zod";

const name = z.string();
/** How long to listen, where what the quest names is heard; its target counts pages otherwise. */
const minutes = z.number().int().optional();

/** What the title and the description of a quest say, for clients that say it in other languages. */
export const questWordsSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pages") }),
  z.object({ kind: z.literal("minutes") }),
  z.object({ kind: z.literal("days") }),
  z.object({ kind: z.literal("old-pages"), before: z.number().int() }),
  z.object({ kind: z.literal("other-type"), type: z.string(), label: name, minutes }),
  z.object({ kind: z.literal("new-series"), series: name, minutes }),
  /** `last`: the one item that is left. */
  z.object({ kind: z.literal("finish-series"), series: name, last: name.optional() }),
  /** `examples`: up to two series of the author. */
  z.object({ kind: z.literal("new-author"), author: name, examples: z.array(name), minutes }),
  z.object({ kind: z.literal("finish-later"), work: name }),
  z.object({ kind: z.literal("finish-begun"), work: name }),
]);
export type QuestWords = z.output<typeof questWordsSchema>;

interface Sentences {
  readonly title: string;
  readonly description: string;
}

/** @param target - of the quest: pages, minutes, days or items */
export function inEnglish(words: QuestWords, target: number): Sentences {
  switch (words.kind) {
    case "pages":
      return { title: `Read ${target} pages`, description: "Of anything you like." };
    case "minutes":
      return { title: `Listen for ${target} minutes`, description: "To anything you like." };
    case "days":
      return { title: `Read on ${target} days`, description: "A page is enough for a day." };
    case "old-pages":
      return {
        title: `${target} old pages`,
        description: `Read ${target} pages of something from before ${words.before}.`,
      };
    case "other-type":
      return {
        title: "Something of another kind",
        description: `${amountOf(words, target)} from a library of the type ${words.label}.`,
      };
    default:
      return ofSomethingNamed(words, target);
  }
}

type Named = Extract<
  QuestWords,
  { kind: "new-series" | "finish-series" | "new-author" | "finish-later" | "finish-begun" }
>;

function ofSomethingNamed(words: Named, target: number): Sentences {
  switch (words.kind) {
    case "new-series": {
      const { minutes: heard } = words;
      const description = heard === undefined ? `Read ${target} pages of it.` : `Listen to it for ${heard} minutes.`;
      return { title: `Try ${words.series}`, description };
    }
    case "finish-series":
      return {
        title: `Finish the series ${words.series}`,
        description: `Only ${words.last ?? target} ${words.last === undefined ? "are" : "is"} left.`,
      };
    case "new-author": {
      const examples = words.examples.length === 0 ? "" : `, such as ${words.examples.join(" or ")}`;
      return { title: `Meet ${words.author}`, description: `${amountOf(words, target)} by this author${examples}.` };
    }
    case "finish-later":
      return { title: `Finish ${words.work}`, description: "It waits on your shelf “Read later”." };
    default:
      return { title: `Finish ${words.work}`, description: "You have begun it already." };
  }
}

function amountOf({ minutes: heard }: { readonly minutes?: number | undefined }, target: number): string {
  return heard === undefined ? `Read ${target} pages` : `Listen for ${heard} minutes`;
}
