import type { Viewer } from "@longbox/sdk";
import { count } from "../counting/counting.js";
import type { Histories } from "../counting/histories.js";
import { UserDays } from "../days/user-days.js";
import type { ChoiceRecords } from "../keeping/choice-records.js";
import { byWeek } from "../quests/measuring.js";
import type { Player } from "../quests/quest-board.js";

/** A user with what counts of the reading history, by the user's own days. */
export interface KnownPlayer extends Player {
  readonly days: UserDays;
}

export class Players {
  constructor(
    private readonly histories: Histories,
    private readonly choices: ChoiceRecords,
  ) {}

  async of(viewer: Viewer): Promise<KnownPlayer> {
    const days = await this.daysOf(viewer.user.id);
    const { entries, works } = await this.histories.of(viewer);
    const counted = count(entries, works, days);
    return { viewer, days, today: days.today(), works, counted, weeks: byWeek(counted) };
  }

  async daysOf(userId: number): Promise<UserDays> {
    return new UserDays(await this.choices.zonesOf(userId));
  }
}
