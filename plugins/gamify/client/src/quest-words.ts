import type { Quest } from "@longbox/gamify/api";
import { locale, t } from "@longbox/sdk/ui";

const listed = new Intl.ListFormat(locale, { type: "disjunction" });

type Words = Pick<Quest, "title" | "description">;

/** A quest in the language of the document. */
export function wordsOfQuest({ words, target, ...english }: Quest): Words {
  const pages = target;
  switch (words.kind) {
    case "pages":
      return { title: t("questWords.pages", { pages }), description: t("questWords.pagesHow") };
    case "minutes":
      return { title: t("questWords.minutes", { minutes: target }), description: t("questWords.minutesHow") };
    case "days":
      return { title: t("questWords.days", { days: target }), description: t("questWords.daysHow") };
    case "old-pages": {
      const description = t("questWords.oldPagesHow", { pages, before: String(words.before) });
      return { title: t("questWords.oldPages", { pages }), description };
    }
    case "other-type":
      return { title: t("questWords.otherType"), description: ofAnotherType(words, pages) };
    case "new-series":
      return { title: t("questWords.newSeries", { series: words.series }), description: ofNewSeries(words, pages) };
    case "finish-series":
      return {
        title: t("questWords.finishSeries", { series: words.series }),
        description:
          words.last === undefined
            ? t("questWords.finishSeriesLeft", { left: target })
            : t("questWords.finishSeriesLast", { last: words.last }),
      };
    case "new-author":
      return { title: t("questWords.newAuthor", { author: words.author }), description: ofNewAuthor(words, pages) };
    case "finish-later":
      return { title: t("questWords.finishWork", { work: words.work }), description: t("questWords.finishLaterHow") };
    case "finish-begun":
      return { title: t("questWords.finishWork", { work: words.work }), description: t("questWords.finishBegunHow") };
    default:
      // Of a newer server than this page.
      return english;
  }
}

type Of<Kind extends Quest["words"]["kind"]> = Extract<Quest["words"], { readonly kind: Kind }>;

function ofAnotherType({ type, label, minutes }: Of<"other-type">, pages: number): string {
  return minutes === undefined
    ? t("questWords.otherTypePages", { pages, type, label })
    : t("questWords.otherTypeMinutes", { minutes, type, label });
}

function ofNewSeries({ minutes }: Of<"new-series">, pages: number): string {
  return minutes === undefined
    ? t("questWords.newSeriesPages", { pages })
    : t("questWords.newSeriesMinutes", { minutes });
}

function ofNewAuthor({ minutes, examples }: Of<"new-author">, pages: number): string {
  const amount =
    minutes === undefined ? t("questWords.newAuthorPages", { pages }) : t("questWords.newAuthorMinutes", { minutes });
  if (examples.length === 0) return amount;
  return t("questWords.newAuthorExamples", { amount, examples: listed.format(examples) });
}
