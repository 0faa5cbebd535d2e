import { defineRoute, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { isTimeZone } from "./days/calendar.js";
import type { ChoiceRecords } from "./keeping/choice-records.js";
import { finishedIn } from "./rules/goal.js";
import { goalSchema, leaderboardSchema, preferencesSchema, profileSchema, questSchema } from "./shapes.js";
import type { MonthlyBoard } from "./showing/leaderboard.js";
import type { Players } from "./showing/players.js";
import type { Profiles } from "./showing/profiles.js";
import type { Readiness } from "./showing/readiness.js";
import type { Turns } from "./turns.js";

export interface RouteParts {
  readonly readiness: Readiness;
  readonly profiles: Profiles;
  readonly leaderboard: MonthlyBoard;
  readonly players: Players;
  readonly choices: ChoiceRecords;
  readonly turns: Turns;
  readonly changed: (userId: number) => void;
}

const mostWorks = 10_000;
/** A time zone that is changed again within this time replaces the change before. */
const zoneRestsMs = 12 * 3_600_000;
const access = "library.view";

export function gamifyRoutes(parts: RouteParts): Route[] {
  return [
    profileRoute(parts),
    goalRoute(parts),
    optOutRoute(parts),
    rerollRoute(parts),
    leaderboardRoute(parts),
    preferencesRoute(parts),
    freezeRoute(parts),
  ];
}

/** One after the other for each user, so that no quest is drawn, swapped or paid twice. */
async function inTurn<T>({ turns, changed }: RouteParts, { user }: Viewer, work: () => Promise<T>): Promise<T> {
  const done = await turns.take(String(user.id), work);
  changed(user.id);
  return done;
}

function profileRoute({ readiness, profiles, turns }: RouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/gamify/me",
    access,
    summary: "Your level, streak, quests, achievements, yearly goal and tokens",
    description:
      "`ready: false` with the reason when the feature or the reader is off. Draws the quests of a new week.",
    response: profileSchema,
    async handle({ viewer }) {
      const hindrance = await readiness.hindrance();
      if (hindrance !== undefined) return { ready: false as const, ...hindrance };
      return await turns.take(String(viewer.user.id), () => profiles.read(viewer));
    },
  });
}

function goalRoute(parts: RouteParts): Route {
  const { readiness, players, choices } = parts;
  return defineRoute({
    method: "POST",
    path: "/api/gamify/goal",
    access,
    summary: "Choose how many items you want to finish this year",
    description: "It stays for later years until you choose again; 0 removes it.",
    body: z.object({ target: z.number().int().min(0).max(mostWorks) }),
    response: goalSchema,
    async handle({ body: { target }, viewer }) {
      await readiness.require();
      const { counted, today } = await players.of(viewer);
      const year = Number(today.slice(0, 4));
      await inTurn(parts, viewer, () => choices.chooseGoal(viewer.user.id, { year, target }));
      return { year, target, done: finishedIn(counted, year) };
    },
  });
}

function optOutRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/gamify/optout",
    access,
    summary: "Leave the leaderboard, or come back to it",
    body: z.object({ optOut: z.boolean() }),
    response: z.object({ optOut: z.boolean() }),
    async handle({ body: { optOut }, viewer }) {
      await inTurn(parts, viewer, () => parts.choices.choose(viewer.user.id, { optedOut: optOut }));
      return { optOut };
    },
  });
}

function rerollRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/gamify/reroll",
    access,
    summary: "Swap one of this week's quests for another; three times a week",
    description: "409 when none is left, the quest is completed, or the library has no other quest.",
    body: z.object({ questId: z.number().int().positive() }),
    response: z.object({ quest: questSchema, rerollsLeft: z.number().int() }),
    async handle({ body: { questId }, viewer }) {
      await parts.readiness.require();
      return await inTurn(parts, viewer, () => parts.profiles.reroll(viewer, questId));
    },
  });
}

function leaderboardRoute({ readiness, leaderboard }: RouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/gamify/leaderboard",
    access,
    summary: "How much the users of this server read this month",
    description: "Without users who opted out, and without what is restricted. Each user's own days count.",
    response: leaderboardSchema,
    async handle({ viewer }) {
      await readiness.require();
      return await leaderboard.read(viewer);
    },
  });
}

function preferencesRoute(parts: RouteParts): Route {
  const { choices } = parts;
  return defineRoute({
    method: "POST",
    path: "/api/gamify/preferences",
    access,
    summary: "Choose the time zone of your days, and whether the home page shows a summary",
    description:
      "Earlier days stay in the time zone in which they were lived; the first choice applies to all of them.",
    body: z.object({
      timeZone: z.string().max(64).refine(isTimeZone, "must be a time zone such as Europe/Berlin").optional(),
      onHome: z.boolean().optional(),
    }),
    response: preferencesSchema,
    async handle({ body: { timeZone, onHome }, viewer }) {
      const userId = viewer.user.id;
      return await inTurn(parts, viewer, async () => {
        if (timeZone !== undefined) await chooseZone(choices, userId, timeZone);
        if (onHome !== undefined) await choices.choose(userId, { onHome });
        const zone = (await choices.zonesOf(userId)).at(-1)?.timeZone ?? null;
        return { timeZone: zone, onHome: (await choices.choicesOf(userId)).onHome };
      });
    },
  });
}

async function chooseZone(choices: ChoiceRecords, userId: number, timeZone: string): Promise<void> {
  const last = (await choices.zonesOf(userId)).at(-1);
  if (last?.timeZone === timeZone) return;
  const now = Date.now();
  const from = last === undefined ? 0 : now - last.from < zoneRestsMs ? last.from : now;
  await choices.chooseZone(userId, { from, timeZone });
}

function freezeRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/gamify/freeze",
    access,
    summary: "Buy a freeze for your streak with tokens",
    description: "409 when there are too few tokens, or as many freezes as can be held.",
    response: z.object({ freezes: z.number().int(), tokens: z.number().int() }),
    async handle({ viewer }) {
      await parts.readiness.require();
      return await inTurn(parts, viewer, () => parts.profiles.buyFreeze(viewer));
    },
  });
}
