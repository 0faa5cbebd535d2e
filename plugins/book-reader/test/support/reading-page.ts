import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import { soon } from "../../../../test/browser/support/soon.js";
import { visit } from "../../../../test/browser/support/visitor.js";
import { sectionOf, untilOpen, type BookRoom } from "./book-room.js";

export interface Opened {
  readonly page: Page;
  readonly id: number;
  section(): Promise<Frame>;
  /** What stands under the slider. */
  place(): Promise<string>;
}

export type Opening = BrowserContextOptions & { readonly role?: string };

/** Opens a book in a window of its own. */
export async function openBook(
  { browser, room }: { readonly browser: Browser; readonly room: BookRoom },
  title: string,
  { role = "viewer", ...context }: Opening = {},
): Promise<Opened> {
  const page = await visit(browser, room.host.url, {
    ...context,
    extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string },
  });
  const id = await room.book(title);
  await page.goto(`/books/${id}`);
  await untilOpen(page);
  const slider = page.getByRole("slider", { name: "Place in the book" });
  return {
    page,
    id,
    section: () => sectionOf(page),
    place: async () => (await slider.getAttribute("aria-valuetext")) ?? "",
  };
}

/** Selects the first text of this kind in the shown section, as a pointer would. */
export async function select(section: Frame, text: string): Promise<void> {
  await section.evaluate((sought) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(sought) ?? -1;
      if (at < 0) continue;
      getSelection()?.setBaseAndExtent(node, at, node, at + sought.length);
      return;
    }
  }, text);
}

/** The texts of all sections that are shown. */
export async function texts(page: Page): Promise<string[]> {
  const shown = page.frames().filter((frame) => frame.url() === "about:srcdoc");
  return Promise.all(
    shown.map((frame) =>
      frame.evaluate(() => document.body.textContent?.trim() ?? "").catch(() => "It is being replaced."),
    ),
  );
}

/** Playwright's own waiting needs scripts in the frame, which has none. */
export async function untilShown(page: Page, text: string): Promise<void> {
  await soon(async () => (await texts(page)).join(" ")).toContain(text);
}

/** How many highlights are drawn: they lie beside the frame of the section. */
export async function marks(page: Page): Promise<number> {
  const section = await sectionOf(page);
  const frame = await section.frameElement();
  return frame.evaluate((element) => element.parentElement?.querySelectorAll("svg > g").length ?? 0);
}
