import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/**
 * The files that take the longest, the longest first: those that are still there run before all others, so that no
 * worker is left with one of them when the others have nothing more to do. A machine that has run the tests knows the
 * times of all files, but one that checks a fresh clone knows none, and what is left to it is how large each file is.
 */
const slowest: readonly string[] = [
  "test/whole/hostile/files.test.ts",
  "test/browser/accessibility.test.ts",
  "kernel/test/supervisor/supervisor.test.ts",
  "test/start/start.test.ts",
  "plugins/source-torrent/test/real-clients.test.ts",
  "plugins/reader/test/in-the-browser.test.ts",
  "test/browser/screens/every-screen.test.ts",
  "plugins/source-usenet/test/clients.test.ts",
  "test/browser/getting-about.test.ts",
  "test/browser/files.test.ts",
  "test/release/release.test.ts",
  "test/browser/administration/hot-swap.test.ts",
  "kernel/test/isolated/hostile-frames.test.ts",
  "test/backup/restored.test.ts",
  "plugins/files/test/placing-killed.test.ts",
  "kernel/test/http/fuzz.test.ts",
  "test/browser/offline/books.test.ts",
  "test/browser/offline/comics.test.ts",
  "test/whole/garbage.test.ts",
  "plugins/files/test/scan.test.ts",
  "plugins/book-reader/test/reading.test.ts",
  "plugins/book-reader/test/hostile.test.ts",
  "kernel/test/plugins/killing.test.ts",
  "kernel/test/criteria/memory.test.ts",
  "plugins/files/test/killing.test.ts",
  "plugins/audiobooks/test/player.test.ts",
  "kernel/test/access/guarding.test.ts",
  "registry/test/plugin-author.test.ts",
  "kernel/test/http/walk.test.ts",
  "examples/ui/test/kit.test.ts",
];

/** Vitest's own order, after the files that are known to take the longest. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(slowest.map((path, place) => [path, place]));
    const placeOf = ({ project, moduleId }: TestSpecification) =>
      places.get(relative(project.config.root, moduleId)) ?? slowest.length;
    // Sorting keeps the order of those that are at the same place.
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
