// Chooses goals, swaps quests and reads, and prints each answer once it is acknowledged. Runs until it is killed.
// Argument: the data folder.
import { openQuestDesk } from "./quest-desk.ts";

const desk = await openQuestDesk({ dataFolder: process.argv[2] as string, storage: "sqlite" });
const works = await desk.place({
  series: "Moth Patrol",
  numbers: Array.from({ length: 30 }, (_, index) => String(index + 1)),
});
const user = await desk.join("viewer");
for (const [index, id] of works.entries()) {
  await user.finish(id);
  const goal = (await user.client.post("/api/gamify/goal", { target: index + 1 })).body;
  const { quests, rerollsLeft } = await user.me();
  const swapped = await user.client.post("/api/gamify/reroll", { questId: quests[0]?.id ?? 1 });
  const left = swapped.status === 200 ? swapped.body.rerollsLeft : rerollsLeft;
  process.stdout.write(`${JSON.stringify({ target: goal.target, left })}\n`);
}
