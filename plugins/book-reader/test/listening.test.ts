import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect as plainly, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { visit } from "../../../test/browser/support/visitor.js";
import { openBookRoom, sectionOf, untilOpen, type BookRoom } from "./support/book-room.js";
import type { PlannedBook } from "./support/epubs.js";

const sentences = ["The tide came in.", "No one heard the bell.", "Then the lamp went out."];
const spoken = `<p>${sentences.map((text, index) => `<span id="s${index}">${text}</span>`).join(" ")}</p>`;

/** Each sentence is a second of silence. */
const overlay = `<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body>${sentences
  .map(
    (_, at) =>
      `<par><text src="chapter-1.xhtml#s${at}"/><audio src="voice.wav" clipBegin="${at}s" clipEnd="${at + 1}s"/></par>`,
  )
  .join("")}</body></smil>`;

const recorded: PlannedBook = {
  title: "Recorded",
  chapters: [{ title: "One", body: spoken }],
  files: { "overlay.smil": overlay, "voice.wav": silence(sentences.length) },
  overlay: true,
  metadata: '<meta property="media:active-class">spoken</meta>',
};
const plain: PlannedBook = {
  title: "Plain",
  chapters: [
    { title: "One", body: `<h2>One</h2>${spoken}` },
    { title: "Two", body: "<p>The second chapter.</p>" },
  ],
};

const expect = Object.assign(<T>(value: T) => plainly(value), {
  poll: <T>(read: () => Promise<T> | T) => plainly.poll(read, { timeout: 20_000 }),
});

let room: BookRoom;
let browser: Browser;
beforeAll(async () => {
  [browser, room] = await Promise.all([startChromium(), openBookRoom([recorded, plain], ["web"])]);
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
});

async function open(title: string, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await visit(browser, room.host.url, {
    extraHTTPHeaders: { "x-api-key": room.host.as("viewer").key as string },
  });
  await prepare?.(page);
  await page.goto(`/books/${await room.book(title)}`);
  await untilOpen(page);
  return page;
}

/** Stands for the voices that a browser without sound does not have: notes what it is to say, and is done soon. */
async function withVoice(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = [];
    const speak = (utterance: SpeechSynthesisUtterance) => {
      said.push(utterance.text);
      setTimeout(() => utterance.dispatchEvent(new Event("end")), 50);
    };
    Object.assign(globalThis, { said });
    if (self === top)
      Object.defineProperty(globalThis, "speechSynthesis", {
        value: { speak, cancel: () => undefined, getVoices: () => [] },
      });
  });
}

describe("listening to a book", () => {
  it("says sentence after sentence with the browser's voice, into the next chapter, to the end", async () => {
    const page = await open("Plain", withVoice);
    await page.getByRole("button", { name: "Read aloud" }).click();
    const said = () => page.evaluate(() => Reflect.get(globalThis, "said") as string[]);
    await expect.poll(said).toEqual(["One", ...sentences, "The second chapter."]);
    await expect.poll(() => page.getByRole("group", { name: "Reading aloud" }).count()).toBe(0);
  });

  it("plays the recording of a book, and marks what is being read", async () => {
    const page = await open("Recorded");
    await page.getByRole("button", { name: "Read along" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const marked = async () =>
      (await sectionOf(page)).evaluate(() => [...document.querySelectorAll(".spoken")].map(({ id }) => id));
    await expect.poll(marked).toEqual(["s0"]);
    await page.getByRole("group", { name: "Recording of the book" }).getByRole("button", { name: "Forward" }).click();
    await expect.poll(marked).toEqual(["s1"]);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Read along" }).waitFor();
  });
});

/** A WAV file. */
function silence(seconds: number): Uint8Array {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + rate * seconds, 128);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(rate * seconds, 40);
  return bytes;
}
