import { Collection, type CollectionContract } from "@longbox/collection/contract";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import { definePlugin, KernelInspection, KernelUsers, type OptionalCapability, type PluginContext } from "@longbox/sdk";
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
    const outdating = { context, library, reading, histories, quests, changed };
    followReading(outdating);
    followLibrary(outdating);
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});

interface Outdating {
  readonly context: PluginContext;
  readonly library: CollectionContract;
  readonly reading: OptionalCapability<ReadingContract>;
  readonly histories: Histories;
  readonly quests: QuestRecords;
  readonly changed: (userId: number) => void;
}

function followReading({ context, reading, histories, changed }: Outdating): void {
  context.own(
    reading.use.onRead(({ userId, at }) => {
      histories.changed(userId, Date.parse(at));
      changed(userId);
    }),
  );
  context.own(reading.use.onChanged(({ issueIds }) => histories.touched(issueIds)));
  context.own(reading.onAvailability(() => histories.forget()));
}

/** What users may see, and what a work is, may have changed. */
function followLibrary({ context, library, histories, quests }: Outdating): void {
  context.own(library.onSeriesChanged(() => histories.forget()));
  context.own(library.onLibrariesChanged(() => histories.forget()));
  context.own(
    library.onIssuesMerged((merge) => {
      histories.merged(merge.from);
      // Quests of this week, in every time zone.
      const since = addDays(new Date().toISOString().slice(0, 10), -8);
      quests
        .follow(merge, since)
        .catch((failure: unknown) => context.log.error("Quests still name a merged work", { failure }));
    }),
  );
}
