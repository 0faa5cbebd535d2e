import type { Viewer } from "@longbox/sdk";
import { addDays } from "../days/calendar.js";
import { EnoughFreezes, TooFewTokens } from "../errors.js";
import type { ChoiceRecords } from "../keeping/choice-records.js";
import type { QuestRecords } from "../keeping/quest-records.js";
import { progressOf } from "../quests/measuring.js";
import type { Quest } from "../quests/quest.js";
import type { QuestBoard, ShownQuest } from "../quests/quest-board.js";
import { achievementsOf } from "../rules/achievements.js";
import { finishedIn, goalsReached, targetOf } from "../rules/goal.js";
import { levelOf, totalOf } from "../rules/points.js";
import { mostFreezes, readingDays, streakOf, type Streak } from "../rules/streak.js";
import type { Profile } from "../shapes.js";
import type { KnownPlayer, Players } from "./players.js";

const freezeCost = 30;
const recentDays = 14;

interface Parts {
  readonly players: Players;
  readonly board: QuestBoard;
  readonly choices: ChoiceRecords;
  readonly quests: QuestRecords;
  readonly hasLeaderboard: () => boolean;
}

/** What a user's history and choices add up to. */
interface Sums {
  readonly streak: Streak;
  /** When each quest was completed, oldest first. */
  readonly questsDone: readonly number[];
  readonly tokens: number;
}

/** Everything that one user sees, computed from the reading history and the user's choices. */
export class Profiles {
  constructor(private readonly parts: Parts) {}

  async read(viewer: Viewer): Promise<Profile> {
    const { board, choices } = this.parts;
    const userId = viewer.user.id;
    const player = await this.parts.players.of(viewer);
    const shown = await board.show(player);
    const sums = await this.#sumsOf(player);
    const [goals, zones, { optedOut, onHome }] = await Promise.all([
      choices.goalsOf(userId),
      choices.zonesOf(userId),
      choices.choicesOf(userId),
    ]);
    const year = Number(player.today.slice(0, 4));
    const { counted, works } = player;
    return {
      ready: true,
      ...levelOf(totalOf(counted).points),
      streak: streakDocument(sums.streak, player.today),
      quests: shown.map((quest) => questDocument(quest, player)),
      achievements: achievementsOf({
        counted,
        works,
        streaks: sums.streak.lengths,
        quests: sums.questsDone,
        goals: goalsReached(counted, goals),
      }),
      goal: { year, target: targetOf(goals, year), done: finishedIn(counted, year) },
      tokens: sums.tokens,
      freezeCost,
      rerollsLeft: await board.rerollsLeft(player),
      optOut: optedOut,
      onHome,
      leaderboard: this.parts.hasLeaderboard(),
      timeZone: zones.at(-1)?.timeZone ?? null,
    };
  }

  /** @throws {NoSuchQuest} @throws {QuestIsDone} @throws {AllRerolled} @throws {NoOtherQuest} */
  async reroll(viewer: Viewer, questId: number) {
    const player = await this.parts.players.of(viewer);
    const quest = await this.parts.board.reroll(player, questId);
    return { quest: questDocument(quest, player), rerollsLeft: await this.parts.board.rerollsLeft(player) };
  }

  /** Buys a freeze with tokens. @throws {TooFewTokens} @throws {EnoughFreezes} */
  async buyFreeze(viewer: Viewer): Promise<{ freezes: number; tokens: number }> {
    const player = await this.parts.players.of(viewer);
    const { streak, tokens } = await this.#sumsOf(player);
    if (streak.freezes >= mostFreezes) throw new EnoughFreezes(streak.freezes);
    if (tokens < freezeCost) throw new TooFewTokens(freezeCost, tokens);
    await this.parts.quests.buyFreeze(viewer.user.id, { at: Date.now(), cost: freezeCost });
    return { freezes: streak.freezes + 1, tokens: tokens - freezeCost };
  }

  async #sumsOf(player: KnownPlayer): Promise<Sums> {
    const userId = player.viewer.user.id;
    const [quests, freezes] = await Promise.all([
      this.parts.quests.listAll(userId),
      this.parts.quests.freezesOf(userId),
    ]);
    const done = completed(quests, player);
    const bought = freezes.map(({ at }) => player.days.dayOf(at));
    const earned = done.reduce((sum, { quest }) => sum + quest.reward, 0);
    const spent = freezes.reduce((sum, { cost }) => sum + cost, 0);
    return {
      streak: streakOf(readingDays(player.counted), bought, player.today),
      questsDone: done.map(({ doneAt }) => doneAt).sort((one, other) => one - other),
      tokens: Math.max(0, earned - spent),
    };
  }
}

function completed(quests: readonly Quest[], { weeks, works }: KnownPlayer) {
  return quests
    .filter(({ state }) => state === "drawn")
    .flatMap((quest) => {
      const { doneAt } = progressOf(quest, weeks.get(quest.monday) ?? [], works);
      return doneAt === undefined ? [] : [{ quest, doneAt }];
    });
}

function questDocument({ quest, ...named }: ShownQuest, { weeks, works, days }: KnownPlayer) {
  const { progress, doneAt } = progressOf(quest, weeks.get(quest.monday) ?? [], works);
  return {
    id: quest.id,
    ...named,
    progress,
    target: quest.target,
    reward: quest.reward,
    done: doneAt !== undefined,
    endsAt: new Date(days.startOf(addDays(quest.monday, 7))).toISOString(),
  };
}

function streakDocument({ days, longest, freezes, frozen, lengths }: Streak, today: string): Profile["streak"] {
  const recent = Array.from({ length: recentDays }, (_, index) => {
    const day = addDays(today, index + 1 - recentDays);
    if (lengths.has(day)) return { day, state: "read" } as const;
    if (frozen.has(day)) return { day, state: "frozen" } as const;
    return { day, state: day === today ? "open" : "missed" } as const;
  });
  return { days, longest, freezes, recent };
}
