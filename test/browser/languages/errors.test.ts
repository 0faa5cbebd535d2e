// What the server refuses is said in the language of the person, before and after signing in.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account } from "../support/account.ts";
import { startChromium } from "../support/chromium.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { comicsFolder, seed } from "../support/seeding.ts";
import { visit } from "../support/visitor.ts";

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox(),
    startChromium(),
    comicsFolder([{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 2 }]),
  ]);
  await seed(longbox.url, comics.folder, 1);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

it.each([
  {
    locale: "de",
    direction: "ltr",
    name: "Name",
    password: "Passwort",
    signIn: "Anmelden",
    wrong: "Name oder Passwort ist falsch, oder die Sitzung ist abgelaufen.",
    gone: "Diese Serie gibt es nicht mehr.",
  },
  {
    locale: "ar",
    direction: "rtl",
    name: "الاسم",
    password: "كلمة المرور",
    signIn: "تسجيل الدخول",
    wrong: "الاسم أو كلمة المرور غير صحيحة، أو انتهت الجلسة.",
    gone: "هذه السلسلة لم تعد موجودة.",
  },
])("says in $locale that a password is wrong and that a series is gone", async (texts) => {
  const page = await visit(browser, longbox.url, { locale: texts.locale });
  await page.goto("/");
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).direction)).toBe(texts.direction);
  await page.getByLabel(texts.name, { exact: true }).fill(account.username);
  await page.getByLabel(texts.password, { exact: true }).fill("not the password");
  await page.getByRole("button", { name: texts.signIn, exact: true }).click();
  await page.getByRole("alert").getByText(texts.wrong).waitFor();
  await page.getByLabel(texts.password, { exact: true }).fill(account.password);
  await page.getByRole("button", { name: texts.signIn, exact: true }).click();
  await page.getByRole("heading", { level: 1 }).getByText(account.username).waitFor();
  // The refusal comes before the texts that it is said with.
  await page.route("**/api/plugins/texts?**", async (route) => {
    const missed = page.waitForResponse((response) => response.status() === 404);
    const answer = await route.fetch();
    await missed;
    await route.fulfill({ response: answer });
  });
  await page.goto("/series/99999");
  await page.getByRole("alert").getByText(texts.gone).waitFor();
});
