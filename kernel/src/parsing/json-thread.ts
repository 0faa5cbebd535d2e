import { answerTasks } from "@longbox/sdk/worker";
import { giveWay } from "../plugins/running/giving-way.js";
import { readJson } from "./json-reading.js";
import type { JsonTasks } from "./outside-json.js";

giveWay();
answerTasks<JsonTasks>({ read: ({ bytes, bounds, mask }) => readJson(bytes, bounds, mask) });
