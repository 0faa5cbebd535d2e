import type { Achievement } from "@longbox/gamify/api";
import { t } from "@longbox/sdk/ui";

type Words = Pick<Achievement, "title" | "description">;

const words: Readonly<Record<string, Words>> = {
  "first-page": { title: t("achievementWords.firstPage"), description: t("achievementWords.firstPageHow") },
  "first-finish": { title: t("achievementWords.firstFinish"), description: t("achievementWords.firstFinishHow") },
  shelf: { title: t("achievementWords.shelf"), description: t("achievementWords.shelfHow") },
  bookcase: { title: t("achievementWords.bookcase"), description: t("achievementWords.bookcaseHow") },
  library: { title: t("achievementWords.library"), description: t("achievementWords.libraryHow") },
  thousand: { title: t("achievementWords.thousand"), description: t("achievementWords.thousandHow") },
  "ten-thousand": { title: t("achievementWords.tenThousand"), description: t("achievementWords.tenThousandHow") },
  tome: { title: t("achievementWords.tome"), description: t("achievementWords.tomeHow") },
  listener: { title: t("achievementWords.listener"), description: t("achievementWords.listenerHow") },
  week: { title: t("achievementWords.week"), description: t("achievementWords.weekHow") },
  month: { title: t("achievementWords.month"), description: t("achievementWords.monthHow") },
  season: { title: t("achievementWords.season"), description: t("achievementWords.seasonHow") },
  regular: { title: t("achievementWords.regular"), description: t("achievementWords.regularHow") },
  weekends: { title: t("achievementWords.weekends"), description: t("achievementWords.weekendsHow") },
  comeback: { title: t("achievementWords.comeback"), description: t("achievementWords.comebackHow") },
  explorer: { title: t("achievementWords.explorer"), description: t("achievementWords.explorerHow") },
  devoted: { title: t("achievementWords.devoted"), description: t("achievementWords.devotedHow") },
  decades: { title: t("achievementWords.decades"), description: t("achievementWords.decadesHow") },
  types: { title: t("achievementWords.types"), description: t("achievementWords.typesHow") },
  languages: { title: t("achievementWords.languages"), description: t("achievementWords.languagesHow") },
  quests: { title: t("achievementWords.quests"), description: t("achievementWords.questsHow") },
  goal: { title: t("achievementWords.goal"), description: t("achievementWords.goalHow") },
};

/** An achievement in the language of the document; one that is not known here says what the server does. */
export function wordsOfAchievement(achievement: Achievement): Words {
  return words[achievement.id] ?? achievement;
}
