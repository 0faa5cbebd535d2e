import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

const conditions = { offline: false, latency: 200, downloadThroughput: -1, uploadThroughput: -1 };
const timesSlower = 4;

/** Makes every page of a browser four times slower at computing, and each of its requests 200 ms later. */
export function slowedDown(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  const newPage = browser.newPage.bind(browser);
  browser.newContext = async (options) => slowContext(await newContext(options));
  browser.newPage = async (options) => {
    const page = await newPage(options);
    await slowPage(page);
    return page;
  };
  return browser;
}

function slowContext(context: BrowserContext): BrowserContext {
  const newPage = context.newPage.bind(context);
  const setOffline = context.setOffline.bind(context);
  const sessions: CDPSession[] = [];
  context.newPage = async () => {
    const page = await newPage();
    sessions.push(await slowPage(page));
    return page;
  };
  // Two sessions of one page each have conditions of their own, and the last that was set counts.
  context.setOffline = async (offline) => {
    await setOffline(offline);
    for (const session of sessions) await session.send("Network.emulateNetworkConditions", { ...conditions, offline });
  };
  return context;
}

async function slowPage(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: timesSlower });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", conditions);
  return session;
}
