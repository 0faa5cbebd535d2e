import { answerTasks } from "@longbox/sdk/worker";
import { ShelfIndex } from "./index/shelf-index.js";
import type { IndexTasks } from "./thread/protocol.js";

const opening = ShelfIndex.open();

answerTasks<IndexTasks>({
  restore: async (input) => (await opening).restore(input),
  status: async () => (await opening).status(),
  put: async (issues) => void (await opening).put(issues),
  putSeries: async (input) => void (await opening).putSeries(input),
  beginWalk: async () => void (await opening).beginWalk(),
  endWalk: async (input) => (await opening).endWalk(input),
  giveUpWalk: async () => void (await opening).giveUpWalk(),
  save: async (input) => (await opening).save(input),
  states: async (input) => void (await opening).states(input),
  forgetUsers: async (input) => void (await opening).forgetUsers(input),
  items: async (input) => (await opening).items(input),
  series: async (input) => (await opening).series(input),
  facets: async (input) => (await opening).facets(input),
  countSeries: async (input) => (await opening).countSeries(input),
  names: async (input) => (await opening).names(input),
  find: async (input) => (await opening).find(input),
  pick: async (input) => (await opening).pick(input),
  similar: async (input) => (await opening).similar(input),
});
