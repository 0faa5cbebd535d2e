import type { Counted } from "../counting/counting.js";
import type { Drawing, QuestRecords } from "../keeping/quest-records.js";
import type { History } from "../counting/histories.js";
import { AllRerolled, NoOtherQuest, NoSuchQuest, QuestIsDone } from "../errors.js";
import { daysBetween, mondayOf } from "../days/calendar.js";
import { Chance } from "./chance.js";
import type { Desk, Reader } from "./desk.js";
import { baseOf, progressOf } from "./measuring.js";
import { nameQuest, type NamedQuest } from "./naming.js";
import { offersFor } from "./offers.js";
import { groupOf, keyOf, type Offer, type Quest } from "./quest.js";

const perWeek = 3;
export const rerollsPerWeek = 3;

/** The reader, with the works of what was read. */
export interface Player extends Omit<Reader, "chance"> {
  readonly works: History["works"];
  /** What counts of each week, by its Monday. */
  readonly weeks: ReadonlyMap<string, readonly Counted[]>;
}

export interface ShownQuest extends NamedQuest {
  readonly quest: Quest;
}

/** The quests of a user's week. They are drawn when the user looks at them first. */
export class QuestBoard {
  constructor(
    private readonly records: QuestRecords,
    private readonly desk: Desk,
  ) {}

  /** This week's quests in words, drawn as far as necessary. */
  async show(player: Player): Promise<ShownQuest[]> {
    const named = await this.#named(player);
    if (named.shown.length === perWeek) return named.shown;
    await this.#fill(player, named);
    return (await this.#named(player)).shown;
  }

  /**
   * Replaces a quest by another.
   * @throws {NoSuchQuest}
   * @throws {QuestIsDone}
   * @throws {AllRerolled}
   * @throws {NoOtherQuest}
   */
  async reroll(player: Player, questId: number): Promise<ShownQuest> {
    const ofWeek = await this.#ofWeek(player);
    const quest = ofWeek.find(({ id, state }) => id === questId && state === "drawn");
    if (!quest) throw new NoSuchQuest(questId);
    if (progressOf(quest, weekOf(player), player.works).doneAt !== undefined) throw new QuestIsDone(questId);
    if (rerollsLeft(ofWeek) === 0) throw new AllRerolled();
    const others = await this.#choose(player, { ofWeek, count: 1, beside: ofWeek.filter((other) => other !== quest) });
    const [offer] = others;
    if (!offer) throw new NoOtherQuest();
    await this.records.replace(questId, "rerolled", { ...this.#drawing(player, offer), offer });
    const shown = (await this.#named(player)).shown;
    return shown.find((other) => other.quest.id > questId && keyOf(other.quest.subject) === keyOf(offer.subject))!;
  }

  async rerollsLeft(player: Player): Promise<number> {
    return rerollsLeft(await this.#ofWeek(player));
  }

  async #ofWeek({ viewer, today }: Player): Promise<Quest[]> {
    const monday = mondayOf(today);
    return (await this.records.listAll(viewer.user.id)).filter((quest) => quest.monday === monday);
  }

  /** The quests that stand, and those that cannot be named any more. */
  async #named(player: Player): Promise<{ ofWeek: Quest[]; shown: ShownQuest[]; gone: Quest[] }> {
    const ofWeek = await this.#ofWeek(player);
    const [shown, gone]: [ShownQuest[], Quest[]] = [[], []];
    for (const quest of ofWeek.filter(({ state }) => state === "drawn")) {
      const named = await nameQuest(this.desk.library, quest, player.viewer);
      if (named) shown.push({ quest, ...named });
      else gone.push(quest);
    }
    return { ofWeek, shown, gone };
  }

  async #fill(player: Player, { ofWeek, shown, gone }: { ofWeek: Quest[]; shown: ShownQuest[]; gone: Quest[] }) {
    for (const { id } of gone) await this.records.replace(id, "withdrawn");
    const beside = shown.map(({ quest }) => quest);
    const offers = await this.#choose(player, { ofWeek, count: perWeek - shown.length, beside });
    const isFirst = ofWeek.length === 0;
    await this.records.draw(
      offers.map((offer) => ({ ...this.#drawing(player, offer), ...(isFirst && { base: 0 }), offer })),
    );
  }

  /** What was read of the week before a quest is drawn later in it does not count towards it. */
  #drawing(player: Player, { subject }: Offer): Drawing {
    const base = baseOf(subject, weekOf(player), player.works);
    return { userId: player.viewer.user.id, monday: mondayOf(player.today), at: Date.now(), base };
  }

  async #choose(
    player: Player,
    { ofWeek, count, beside }: { ofWeek: readonly Quest[]; count: number; beside: readonly Quest[] },
  ): Promise<Offer[]> {
    const { viewer, today } = player;
    const chance = new Chance(`${viewer.user.id} ${mondayOf(today)} ${ofWeek.length}`);
    const possible = (await offersFor(this.desk, { ...player, chance })).filter((offer) =>
      isPossible(offer, player, ofWeek.length === 0),
    );
    const offers = chance.shuffle(possible);
    const used = new Set(ofWeek.map(({ subject }) => keyOf(subject)));
    const groups = beside.map(({ subject }) => groupOf(subject));
    const chosen: Offer[] = [];
    while (chosen.length < count) {
      const open = offers.filter(({ subject }) => !used.has(keyOf(subject)));
      const next = open.find(({ subject }) => !groups.includes(groupOf(subject))) ?? open[0];
      if (!next) break;
      chosen.push(next);
      used.add(keyOf(next.subject));
      groups.push(groupOf(next.subject));
    }
    return chosen;
  }
}

function weekOf({ weeks, today }: Player): readonly Counted[] {
  return weeks.get(mondayOf(today)) ?? [];
}

/**
 * Whether it is not fulfilled already, and the rest of the week is long enough.
 * @param isFirst - The whole week counts
 */
function isPossible({ subject, target }: Offer, player: Player, isFirst: boolean): boolean {
  const week = weekOf(player);
  const read = baseOf(subject, week, player.works);
  if (isFirst && read >= target) return false;
  if (subject.kind !== "days") return true;
  const hasRead = week.some(({ day }) => day === player.today);
  const rest = 7 - daysBetween(mondayOf(player.today), player.today) - (hasRead ? 1 : 0);
  return (isFirst ? read : 0) + rest >= target;
}

function rerollsLeft(ofWeek: readonly Quest[]): number {
  return rerollsPerWeek - ofWeek.filter(({ state }) => state === "rerolled").length;
}
