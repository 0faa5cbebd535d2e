import { withoutRestricted, type KernelUsers, type Viewer } from "@longbox/sdk";
import type { ChoiceRecords } from "../keeping/choice-records.js";
import { totalOf } from "../rules/points.js";
import type { Leaderboard } from "../shapes.js";
import type { Players } from "./players.js";

interface Parts {
  readonly players: Players;
  readonly choices: ChoiceRecords;
  readonly users: KernelUsers;
  readonly isOn: () => boolean;
}

/** How much the users of the server read this month. */
export class MonthlyBoard {
  constructor(private readonly parts: Parts) {}

  /**
   * The month is that of the viewer, the days are each user's own. Users who opted out, and others who have read
   * nothing, are left out; so is what is restricted, so that the rows are the same for all users.
   */
  async read(viewer: Viewer): Promise<Leaderboard> {
    const { players, choices, users, isOn } = this.parts;
    const month = (await players.daysOf(viewer.user.id)).today().slice(0, 7);
    if (!isOn()) return { month, rows: [] };
    const hidden = await choices.listOptedOut();
    const shown = (await this.#readers(viewer)).filter(({ id }) => !hidden.has(id));
    const rows: Leaderboard["rows"] = [];
    for (const { id, username } of shown) {
      const found = id === viewer.user.id ? viewer : await users.viewerOf(id);
      if (!found) continue;
      const { points, pages, finished } = await this.#totalOf(found, month);
      const me = id === viewer.user.id;
      if (points > 0 || me) rows.push({ username, points, pages, finished, me });
    }
    return { month, rows: rows.sort(compare) };
  }

  /** The local admin of a server without accounts is alone. */
  async #readers({ user }: Viewer): Promise<ReadonlyArray<{ readonly id: number; readonly username: string }>> {
    const found = await this.parts.users.listWithPermission("library.view");
    return found.some(({ id }) => id === user.id) ? found : [...found, user];
  }

  async #totalOf(viewer: Viewer, month: string) {
    const { counted } = await this.parts.players.of(withoutRestricted(viewer));
    return totalOf(counted.filter(({ day }) => day.startsWith(month)));
  }
}

type Row = Leaderboard["rows"][number];

function compare(one: Row, other: Row): number {
  return other.points - one.points || (one.username < other.username ? -1 : 1);
}
