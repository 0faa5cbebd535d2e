import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zip } from "@longbox/test/fixtures";
import sharp from "sharp";
import { startLibrary, type TestLibrary } from "../../../files/test/support/library.js";

type LibraryOptions = NonNullable<Parameters<typeof startLibrary>[0]>;

/** A picture of random squares: the same for the same seed. */
export async function picture(seed: number, width = 400): Promise<Uint8Array> {
  let state = seed * 2_654_435_761;
  const next = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24) & 255;
  const squares = Buffer.from(Array.from({ length: 12 * 18 }, next));
  return sharp(squares, { raw: { width: 12, height: 18, channels: 1 } })
    .resize(width, Math.round(width * 1.5), { kernel: "nearest" })
    .jpeg({ quality: width === 400 ? 90 : 60 })
    .toBuffer();
}

/** A comic of five pages of its own and the advertisement of a scan group behind them, or before the last one. */
export async function comic(seed: number, advertisement?: Uint8Array): Promise<Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  for (let page = 0; page < 5; page++) entries.set(`p${page}.jpg`, await picture(seed * 100 + page));
  if (advertisement) entries.set("p3-group.jpg", advertisement);
  return zip(entries);
}

/** Three series with the same advertisement in four issues, one of them resized; another issue has none. */
export async function libraryWithAdvertisements(
  plugins: NonNullable<LibraryOptions["plugins"]> = [],
): Promise<TestLibrary> {
  const advertisement = await picture(7);
  const resized = await picture(7, 300);
  return startLibrary({
    plugins: ["imaging", "reading", "reader", ...plugins],
    async fill(root) {
      const files = [
        ["Moth Patrol", "001", await comic(1, advertisement)],
        ["Moth Patrol", "002", await comic(2, advertisement)],
        ["Night Bell", "001", await comic(3, advertisement)],
        ["Paper Wings", "001", await comic(4, resized)],
        ["Paper Wings", "002", await comic(5)],
      ] as const;
      for (const [series, number, bytes] of files) {
        await mkdir(join(root, series), { recursive: true });
        await writeFile(join(root, series, `${series} ${number}.cbz`), bytes);
      }
    },
  });
}
