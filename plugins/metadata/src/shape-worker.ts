import { answerTasks } from "@longbox/sdk/worker";
import { shapingTasks, type ShapingTasks } from "./source/shaping.js";

answerTasks<ShapingTasks>(shapingTasks);
