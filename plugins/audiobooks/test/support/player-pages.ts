import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { startChromium } from "../../../../test/browser/support/chromium.ts";
import { visit } from "../../../../test/browser/support/visitor.ts";
import { openListeningRoom, type ListeningRoom } from "./listening-room.js";
import { mp3File } from "./mp3-file.js";

/** Where pictures of the pages go, for a person to look at. */
export const pictures = process.env["LONGBOX_PICTURES"];

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="#23395d"/><circle cx="300" cy="260" r="150" fill="#e0b04c"/><text x="300" y="520" font-size="72" text-anchor="middle" fill="#fff" font-family="sans-serif">Night Bell</text></svg>`;
const chapters = [
  "Opening",
  "The tower",
  "A letter from the sea, which is a long title for a chapter",
  "The bell",
  "Low water",
].map((title, index) => [index * 60, title] as const);

/** A book of five chapters of a minute each. */
export async function nightBell(title = "Night Bell"): Promise<Buffer> {
  const picture = await sharp(Buffer.from(drawing)).png().toBuffer();
  const texts = { TALB: title, TPE1: "Ada Quill", NARRATOR: "Ira Bloom", SERIES: "Low Tides", SERIESPART: "2" };
  return mp3File({ seconds: 300, hasInfo: true, id3: { texts, chapters, picture } });
}

/** A server with audiobooks and the web interface, and a browser. */
export interface PlayerPages extends AsyncDisposable {
  readonly room: ListeningRoom;
  readonly ids: Readonly<Record<string, { readonly id: number; readonly cvIssueId: number }>>;
  /** A new window of an account, until the end of the test. */
  open(role: string, options?: Parameters<typeof visit>[2]): Promise<Page>;
  /** Presses "Listen" on the page of a book, and waits until it plays. */
  listen(page: Page, title: string, word?: string): Promise<void>;
  /** What the server knows of the listener's place. */
  progressOf(title: string, role: string): Promise<{ position: number; completed: boolean } | null>;
}

export async function openPlayerPages(files: Readonly<Record<string, Uint8Array>>): Promise<PlayerPages> {
  await using opening = new AsyncDisposableStack();
  const room = opening.use(await openListeningRoom(files, { plugins: ["web"] }));
  const browser: Browser = await startChromium();
  opening.defer(() => browser.close());
  const ids = await room.books();
  const owned = opening.move();
  return {
    room,
    ids,
    open: (role, options = {}) =>
      visit(browser, room.host.url, {
        extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string },
        ...options,
      }),
    async listen(page, title, word = "Listen") {
      await page.goto(`/issue/${ids[title]!.cvIssueId}`);
      await page.getByRole("link", { name: word, exact: true }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
    },
    progressOf: async (title, role) =>
      (await room.host.as(role).get(`/api/audiobooks/issue/${ids[title]!.id}/progress`)).body,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `audiobooks-${name}.png`) });
}

/** Where the player is in the book, in whole seconds. */
export const seconds = (page: Page) =>
  page.getByRole("slider", { name: "Position" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);
