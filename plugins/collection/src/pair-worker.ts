import { answerTasks } from "@longbox/sdk/worker";
import { findPairs } from "./joining/finding-pairs.js";
import type { PairTasks } from "./joining/pair-thread.js";

answerTasks<PairTasks>({ find: findPairs });
