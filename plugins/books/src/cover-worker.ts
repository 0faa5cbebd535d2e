import { answerTasks } from "@longbox/sdk/worker";
import { findChapters } from "./chapters/finding-chapters.js";
import type { CoverTasks } from "./covers/cover-tasks.js";
import { findBinary } from "./covers/finding-binary.js";
import { findPlace } from "./covers/finding-place.js";

answerTasks<CoverTasks>({ binary: findBinary, chapters: findChapters, place: findPlace });
