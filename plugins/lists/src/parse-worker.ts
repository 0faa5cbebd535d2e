import { answerTasks } from "@longbox/sdk/worker";
import { parseListFile } from "./cbl/parse.js";
import type { ListFileTasks } from "./cbl/reading-thread.js";

answerTasks<ListFileTasks>({ parse: parseListFile });
