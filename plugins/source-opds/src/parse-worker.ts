import { answerTasks } from "@longbox/sdk/worker";
import { readAtom, readDescription } from "./reading/atom.js";
import type { ReadingTasks } from "./reading/feed.js";
import { readJsonFeed } from "./reading/json-feed.js";

/** Servers mistake the type of what they answer, so its first character decides. */
function isJson(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith("{");
}

answerTasks<ReadingTasks>({
  feed: (bytes) => (isJson(bytes) ? readJsonFeed(bytes) : readAtom(bytes)),
  description: readDescription,
});
