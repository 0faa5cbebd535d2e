import type { Viewer } from "@longbox/sdk";
import { count } from "../counting/counting.js";
import type { Histories, History } from "../counting/histories.js";
import { UserDays } from "../days/user-days.js";
import type { ChoiceRecords } from "../keeping/choice-records.js";
import { byWeek } from "../quests/measuring.js";
import type { Player } from "../quests/quest-board.js";

/** A user with what counts of the reading history, by the user's own days. */
export interface KnownPlayer extends Player {
  readonly days: UserDays;
}

type Counting = Pick<Player, "counted" | "weeks"> & { readonly zones: string };

export class Players {
  /** What counts of a history, for as long as that is in memory. */
  readonly #counted = new WeakMap<History, Counting>();

  constructor(
    private readonly histories: Histories,
    private readonly choices: ChoiceRecords,
  ) {}

  async of(viewer: Viewer): Promise<KnownPlayer> {
    const changes = await this.choices.zonesOf(viewer.user.id);
    const days = new UserDays(changes);
    const history = await this.histories.of(viewer);
    const zones = JSON.stringify(changes);
    const known = this.#counted.get(history);
    const counting = known?.zones === zones ? known : { ...countingOf(history, days), zones };
    this.#counted.set(history, counting);
    const { counted, weeks } = counting;
    return { viewer, days, today: days.today(), works: history.works, counted, weeks };
  }

  async daysOf(userId: number): Promise<UserDays> {
    return new UserDays(await this.choices.zonesOf(userId));
  }
}

function countingOf({ entries, works }: History, days: UserDays): Pick<Player, "counted" | "weeks"> {
  const counted = count(entries, works, days);
  return { counted, weeks: byWeek(counted) };
}
