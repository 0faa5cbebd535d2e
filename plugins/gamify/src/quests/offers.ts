import type { Issue } from "@longbox/collection/contract";
import { addDays } from "../days/calendar.js";
import type { Desk, Reader } from "./desk.js";
import { discoveries } from "./discoveries.js";
import type { Offer } from "./quest.js";
import { isReadable, sampleOf } from "./sampling.js";

const rewards = { habit: 5, finish: 10 };
const weeks = 4;
const [fewestPages, mostPages] = [20, 300];
/** A series with more left than this is no quest for a week. */
const mostLeft = 4;

/** All quests that the library offers a user now. */
export async function offersFor(desk: Desk, reader: Reader): Promise<Offer[]> {
  const sample = await sampleOf(desk.library, reader.viewer, reader.chance);
  if (sample.length === 0) return [];
  const apart = (name: string): Reader => ({ ...reader, chance: reader.chance.apart(name) });
  const found = await Promise.all([
    begun(desk, apart("begun")),
    fromLater(desk, apart("later")),
    restsOfSeries(desk, apart("rests")),
    discoveries(desk, reader, sample),
  ]);
  return [...habits(reader, sample), ...found.flat()];
}

/** A little less than the average of the last weeks, so that a quiet week is enough. */
function habits({ counted, today }: Reader, sample: readonly Issue[]): Offer[] {
  const since = addDays(today, -7 * weeks);
  const recent = counted.filter(({ day }) => day >= since && day < today);
  const pages = (recent.reduce((sum, entry) => sum + entry.pages, 0) / weeks) * 0.8;
  const inTens = Math.round(Math.min(mostPages, Math.max(fewestPages, pages)) / 10) * 10;
  const days = new Set(recent.map(({ day }) => day)).size / weeks >= 4 ? 4 : 3;
  const reward = rewards.habit;
  return [
    { subject: { kind: "days" }, target: days, reward },
    ...(sample.some((issue) => issue.pages > 0)
      ? [{ subject: { kind: "pages" }, target: inTens, reward } as const]
      : []),
    ...(sample.some(({ seconds = 0 }) => seconds > 0)
      ? [{ subject: { kind: "minutes" }, target: 60, reward } as const]
      : []),
  ];
}

async function begun({ reading }: Desk, { viewer, chance }: Reader): Promise<Offer[]> {
  const { items } = await reading.listContinue(viewer, { limit: 20 });
  return chance
    .shuffle(items.filter(({ issue }) => isReadable(issue)))
    .slice(0, 3)
    .map(({ issue }) => finish("finish-begun", issue.id));
}

async function fromLater({ reading }: Desk, { viewer, chance }: Reader): Promise<Offer[]> {
  const { items } = await reading.listLater(viewer, { limit: 50 });
  return chance
    .shuffle(items.filter(({ issue, state }) => isReadable(issue) && state === undefined))
    .slice(0, 2)
    .map(({ issue }) => finish("finish-later", issue.id));
}

function finish(kind: "finish-begun" | "finish-later", issueId: number): Offer {
  return { subject: { kind, issueIds: [issueId] }, target: 1, reward: rewards.finish };
}

/** Series of which something was finished, and little is left. */
async function restsOfSeries({ library, reading }: Desk, { viewer, chance }: Reader): Promise<Offer[]> {
  const finished = await reading.listFinishedSeries(viewer, { limit: 30 });
  const offers: Offer[] = [];
  for (const { issue } of chance.shuffle(finished).slice(0, 10)) {
    const issues = (await library.listIssues(issue.seriesId, viewer)).filter(isReadable);
    const states = await reading.find(
      viewer,
      issues.map(({ id }) => id),
    );
    const read = new Set(states.filter(({ completed }) => completed).map(({ issueId }) => issueId));
    const left = issues.filter(({ id }) => !read.has(id)).map(({ id }) => id);
    if (left.length === 0 || left.length > mostLeft) continue;
    const subject = { kind: "finish-series", seriesId: issue.seriesId, issueIds: left } as const;
    offers.push({ subject, target: left.length, reward: rewards.finish });
  }
  return offers;
}
