import { afterAll, beforeAll, expect, it } from "vitest";
import { soon } from "../../../test/browser/support/soon.ts";
import { nightBell, openPlayerPages, seconds, type PlayerPages } from "./support/player-pages.js";

let pages: PlayerPages;
beforeAll(async () => {
  pages = await openPlayerPages({ "night.mp3": await nightBell(), "salt.mp3": await nightBell("Salt Road") });
});
afterAll(() => pages[Symbol.asyncDispose]());

const chapter = (page: Parameters<typeof seconds>[0]) =>
  page.getByRole("slider", { name: "In this chapter" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);

it("has a slider for the chapter, which stays under the pointer while the book plays", async () => {
  const page = await pages.open("viewer");
  await pages.listen(page, "Night Bell");
  await page.getByRole("slider", { name: "Position" }).fill("120");
  await page.getByText("3 of 5", { exact: true }).waitFor();
  const slider = page.getByRole("slider", { name: "In this chapter" });
  const box = (await slider.boundingBox())!;
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 10, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, middle, { steps: 4 });
  await page.locator("output", { hasText: "0:30" }).waitFor();
  const before = await page.getByText(/^2:0\d of /).textContent();
  // It plays on meanwhile.
  await soon(() => page.getByText(/^2:\d\d of /).textContent()).not.toBe(before);
  expect(await chapter(page)).toBe(30);
  await page.mouse.up();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(150);
  await slider.focus();
  await slider.press("ArrowLeft");
  await soon(() => chapter(page)).toBeLessThan(30);
});

it("is played by keys: pause, jumps, chapters and speed", async () => {
  const page = await pages.open("trusted");
  await pages.listen(page, "Night Bell");
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("2 of 5", { exact: true }).waitFor();
  await page.keyboard.press("ArrowRight");
  await soon(() => seconds(page)).toBe(90);
  await page.keyboard.press("ArrowLeft");
  await soon(() => seconds(page)).toBe(75);
  await page.keyboard.press(">");
  await page.getByRole("button", { name: "Speed, 1.05×" }).waitFor();
  const note = page.getByLabel("Note");
  await note.fill("");
  await note.pressSequentially("k k");
  expect(await note.inputValue()).toBe("k k");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

it("goes on after a shake of the phone, and not after a small movement", async () => {
  const page = await pages.open("admin");
  await pages.listen(page, "Night Bell");
  await page.getByRole("slider", { name: "Position" }).fill("57");
  await page.getByRole("button", { name: "Sleep timer" }).click();
  await page.getByRole("menuitemradio", { name: "End of the chapter" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const move = (x: number, isGravityIncluded = false) =>
    page.evaluate(
      ([strength, withGravity]) => {
        const moved = { x: strength as number, y: 0, z: 0 };
        const told = withGravity ? { accelerationIncludingGravity: moved } : { acceleration: moved };
        dispatchEvent(new DeviceMotionEvent("devicemotion", told));
      },
      [x, isGravityIncluded] as const,
    );
  await move(3);
  await move(12, true);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await move(30, true);
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.getByRole("button", { name: /^Sleep timer, / }).waitFor();
});

it("begins a little before the place, after a long pause half a minute", async () => {
  const { id } = pages.ids["Salt Road"]!;
  const viewer = pages.room.host.as("viewer");
  const at = new Date(Date.now() - 48 * 3_600_000).toISOString();
  await viewer.post(`/api/audiobooks/issue/${id}/progress`, { position: 200, duration: 300, device: "Phone", at });
  const page = await pages.open("viewer");
  await page.goto(`/listen/${id}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(170);
  expect(await seconds(page)).toBeLessThan(200);
});

it("stays at its place when the sound breaks off, and goes on there when it can be had again", async () => {
  const page = await pages.open("trusted");
  const { id } = pages.ids["Salt Road"]!;
  const listener = pages.room.host.as("trusted");
  const path = `/api/audiobooks/issue/${id}`;
  await listener.post(`${path}/progress`, { position: 150, duration: 300, device: "Phone", mayGoBack: true });
  const sound = Buffer.from(
    await (
      await fetch(pages.room.host.url + `${path}/stream`, { headers: { "x-api-key": listener.key as string } })
    ).arrayBuffer(),
  );
  const broken = { requests: 0, isMended: false };
  await page.route(/\/stream/, async (route) => {
    if (broken.isMended) return route.continue();
    if (++broken.requests > 1) return route.fulfill({ status: 404 });
    // Enough to play some seconds.
    const body = sound.subarray(0, Math.floor(sound.length * 0.55));
    const headers = { "content-range": `bytes 0-${sound.length - 1}/${sound.length}`, "accept-ranges": "bytes" };
    return route.fulfill({ status: 206, contentType: "audio/mpeg", headers, body });
  });
  await page.goto(`/listen/${id}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").getByText("The recording could not be loaded.").waitFor();
  const place = await seconds(page);
  expect([place >= 150, place < 166]).toEqual([true, true]);
  broken.isMended = true;
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await soon(() => seconds(page)).toBeGreaterThan(place);
  expect(await seconds(page)).toBeLessThan(place + 60);
});

it("shows a square cover whole among the others", async () => {
  const page = await pages.open("viewer");
  await page.goto("/library");
  const picture = page.locator(".cover[data-square] img").first();
  await picture.waitFor();
  expect(await picture.evaluate((image) => getComputedStyle(image).objectFit)).toBe("contain");
});

it("pauses in one window when another one of the browser begins to play", async () => {
  const one = await pages.open("viewer");
  await pages.listen(one, "Night Bell", "Continue");
  const other = await one.context().newPage();
  await pages.listen(other, "Night Bell", "Continue");
  await one.getByRole("button", { name: "Play", exact: true }).waitFor();
  await other.getByRole("button", { name: "Pause" }).waitFor();
});

it("says when its code cannot be loaded, and works after the page was loaded again", async () => {
  const page = await pages.open("viewer");
  await page.route(/\/elements-[^/]*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`/listen/${pages.ids["Night Bell"]!.id}`);
  await page.getByRole("alert").getByText("The player could not be loaded.").waitFor();
  await page.unroute(/\/elements-[^/]*\.js/);
  await page.getByRole("button", { name: "Load the page again" }).click();
  await page.getByRole("heading", { name: "Night Bell" }).waitFor();
});
