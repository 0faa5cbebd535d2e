import { Collection } from "@longbox/collection/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin, KernelInspection, KernelUsers } from "@longbox/sdk";
import { Histories } from "./counting/histories.js";
import { addDays } from "./days/calendar.js";
import { ChoiceRecords } from "./keeping/choice-records.js";
import { forgetUser, handOver } from "./keeping/owned-records.js";
import { QuestRecords } from "./keeping/quest-records.js";
import { gamifyMigration } from "./migrations/0001-gamify.js";
import { QuestBoard } from "./quests/quest-board.js";
import { gamifyRoutes } from "./routes.js";
import { gamifySettings } from "./settings.js";
import { MonthlyBoard } from "./showing/leaderboard.js";
import { Players } from "./showing/players.js";
import { Profiles } from "./showing/profiles.js";
import { Readiness } from "./showing/readiness.js";
import type { GamifyTables } from "./tables.js";
import { Turns } from "./turns.js";

export default definePlugin({
  requires: { library: Collection, users: KernelUsers, inspection: KernelInspection },
  optional: { reading: Reading },
  settings: gamifySettings,
  migrations: [gamifyMigration],
  activate({ library, users, inspection, reading }, context) {
    const database = context.storage.database<GamifyTables>();
    const [choices, quests] = [new ChoiceRecords(database), new QuestRecords(database)];
    const settings = () => context.settings.current;
    const histories = new Histories(library, reading.use);
    const players = new Players(histories, choices);
    const board = new QuestBoard(quests, { library, reading: reading.use });
    const changed = (userId: number) => context.changed("gamify", { userIds: [userId] });
    context.routes(
      gamifyRoutes({
        readiness: new Readiness({ reading, inspection, isEnabled: () => settings().enabled }),
        profiles: new Profiles({ players, board, choices, quests, hasLeaderboard: () => settings().leaderboard }),
        leaderboard: new MonthlyBoard({ players, choices, users, isOn: () => settings().leaderboard }),
        players,
        choices,
        turns: new Turns(),
        changed,
      }),
    );
    context.own(
      reading.use.onRead(({ userId, at }) => {
        histories.changed(userId, Date.parse(at));
        changed(userId);
      }),
    );
    context.own(reading.use.onChanged(({ issueIds }) => histories.touched(issueIds)));
    const forget = () => histories.forget();
    context.own(reading.onAvailability(forget));
    context.own(library.onSeriesChanged(forget));
    context.own(library.onLibrariesChanged(forget));
    context.own(
      library.onIssuesMerged((merge) => {
        histories.merged(merge.from);
        // Quests of this week, in every time zone.
        const monday = addDays(new Date().toISOString().slice(0, 10), -8);
        quests
          .follow(merge, monday)
          .catch((failure: unknown) => context.log.error("Quests still name a merged work", { failure }));
      }),
    );
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});
