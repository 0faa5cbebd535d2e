import { answerTasks } from "@longbox/sdk/worker";
import type { ReadingTasks } from "./reading/document.js";
import { readDocument } from "./reading/reading-documents.js";
import { readNzb } from "./reading/reading-nzb.js";

answerTasks<ReadingTasks>({ document: readDocument, nzb: readNzb });
