import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { openListeningRoom } from "./support/listening-room.js";

const run = promisify(execFile);
const folders = (process.env["PATH"] ?? "").split(":");
const has = (program: string) => folders.some((folder) => existsSync(join(folder, program)));

const chapters = [
  { title: "Opening", end: 4000 },
  { title: "Ein Ort, ½ weit = fern; # 2", end: 7500 },
  { title: "The end", end: 12_000 },
];
const metadata = (title: string) =>
  [
    ...[";FFMETADATA1", `title=${title}`, `album=${title}`, "artist=Ada Quill"],
    ...chapters.flatMap((chapter, index) => [
      ...["[CHAPTER]", "TIMEBASE=1/1000", `START=${chapters[index - 1]?.end ?? 0}`, `END=${chapter.end}`],
      `title=${chapter.title.replaceAll(/[=;#\\]/g, (sign) => `\\${sign}`)}`,
    ]),
  ].join("\n");

/** Options of ffmpeg by the name of the file. */
const made: Readonly<Record<string, readonly string[]>> = {
  "Last.m4b": ["-c:a", "aac"],
  "First.m4b": ["-c:a", "aac", "-movflags", "+faststart"],
  "Plain.m4a": ["-c:a", "aac", "-ac", "2"],
  "Lossless.m4a": ["-c:a", "alac"],
  "Fragments.m4b": ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
  "Stream.m4a": ["-c:a", "aac", "-movflags", "+dash+frag_keyframe", "-frag_duration", "2000000"],
  "Frames.mp3": ["-c:a", "libmp3lame", "-b:a", "32k"],
  "Variable.mp3": ["-c:a", "libmp3lame", "-q:a", "9", "-id3v2_version", "3"],
  "Untagged length.mp3": ["-c:a", "libmp3lame", "-b:a", "32k", "-write_xing", "0"],
  "Reeds.flac": ["-c:a", "flac"],
  "Waves.opus": ["-c:a", "libopus"],
  "Shells.ogg": ["-c:a", "libvorbis"],
};

interface Probed {
  readonly format: { readonly duration: string };
  readonly chapters: ReadonlyArray<{ readonly start_time: string; readonly tags: { readonly title: string } }>;
}

it(
  "files that ffmpeg made have the chapters and the length that ffprobe finds in them",
  needs(has("ffmpeg") && has("ffprobe"), "ffmpeg is not installed"),
  async () => {
    const root = await mkdtemp(join(tmpdir(), "longbox-encoded-"));
    try {
      const probed: Record<string, Probed> = {};
      for (const [name, options] of Object.entries(made)) {
        const [title, path, described] = [name.replace(/\..*/, ""), join(root, name), join(root, `.${name}.txt`)];
        await writeFile(described, metadata(title));
        const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=12:sample_rate=24000", "-i", described];
        await run("ffmpeg", ["-v", "error", ...sound, "-map_metadata", "1", "-map_chapters", "1", ...options, path]);
        const { stdout } = await run("ffprobe", [
          ...["-v", "error", "-show_chapters", "-show_format", "-of", "json"],
          path,
        ]);
        probed[title] = JSON.parse(stdout) as Probed;
      }
      await using room = await openListeningRoom({}, { root });
      const books = await room.books();
      expect(Object.keys(books).toSorted()).toEqual(Object.keys(probed).toSorted());
      for (const [title, expected] of Object.entries(probed)) {
        const { body } = await room.host.as("viewer").get(`/api/audiobooks/issue/${books[title]!.id}/chapters`);
        const found = body.chapters.map((one: { title: string; start: number }) => [one.title, one.start]);
        const wanted = expected.chapters.map((one) => [one.tags.title, Number(one.start_time)]);
        expect([title, found]).toEqual([title, wanted.length > 0 ? wanted : [[title, 0]]]);
        expect([title, Math.abs(body.duration - Number(expected.format.duration)) < 0.1]).toEqual([title, true]);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
