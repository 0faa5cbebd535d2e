import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import worker from "node:worker_threads";
import { shareSingletonsWith } from "./host-singletons.js";

// A thread of a plugin starts here, so that its module finds the host's singletons and its own `workerData`.
const { folder, module, data } = worker.workerData as { folder: string; module: string; data: unknown };
shareSingletonsWith(folder);
(worker as { workerData: unknown }).workerData = data;
syncBuiltinESMExports();
await import(pathToFileURL(module).href);
