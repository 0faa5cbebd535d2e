import { answerTasks } from "@longbox/sdk/worker";
import { shapingTasks, type ShapingTasks } from "./source/shaping-tasks.js";

answerTasks<ShapingTasks>(shapingTasks);
