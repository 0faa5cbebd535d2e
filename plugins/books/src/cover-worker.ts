import { answerTasks } from "@longbox/sdk/worker";
import type { CoverTasks } from "./covers/cover-tasks.js";
import { findBinary } from "./covers/finding-binary.js";

answerTasks<CoverTasks>({ binary: findBinary });
