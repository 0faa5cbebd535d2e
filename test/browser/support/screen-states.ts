// Puts screens into the states that a quick server with a library never shows: what they ask for does not come, or is
// refused.
import type { Page, Request, Route } from "playwright-core";

export type ScreenState = "loading" | "failing" | "forbidden" | "unreachable" | "empty";

const refusal = (status: number, code: string, error: string) => ({
  status,
  contentType: "application/json",
  body: JSON.stringify({ error, code }),
});

const answers: Readonly<Record<ScreenState, (route: Route) => Promise<void>>> = {
  // Until the page is left, when the browser gives the request up.
  loading: () => Promise.resolve(),
  failing: (route) => route.fulfill(refusal(500, "kernel/internal", "Something went wrong.")),
  forbidden: (route) => route.fulfill(refusal(403, "kernel/forbidden", "This needs another permission.")),
  unreachable: (route) => route.abort("connectionrefused"),
  // What the server says, without anything in its lists.
  async empty(route) {
    const answer = await route.fetch();
    if (!answer.headers()["content-type"]?.startsWith("application/json")) return route.fulfill({ response: answer });
    const headers = { ...answer.headers(), "x-total-count": "0" };
    await route.fulfill({ response: answer, headers, json: emptied(await answer.json()) });
  },
};

/** The same answer with empty lists, and nothing counted. */
function emptied(answer: unknown): unknown {
  if (Array.isArray(answer)) return [];
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? [] : /^(?:total|count|all)$/.test(name) && typeof value === "number" ? 0 : value,
    ]),
  );
}

const pathOf = (request: Request) => new URL(request.url()).pathname;
const isOfContent = (request: Request) => request.method() === "GET" && pathOf(request).startsWith("/api/");

/** What the frame around every page asks for, seen at a page that asks for nothing itself. */
export async function frameRequests(page: Page, visit: (path: string) => Promise<void>): Promise<ReadonlySet<string>> {
  const paths = new Set(["/api/events"]);
  const hears = (request: Request) => void (isOfContent(request) && paths.add(pathOf(request)));
  page.on("request", hears);
  await visit("/nowhere");
  page.off("request", hears);
  return paths;
}

/**
 * From now on, what pages ask for beside the frame is answered as the state says. Answers how often pages have asked.
 */
export async function enter(page: Page, state: ScreenState, frame: ReadonlySet<string>): Promise<() => number> {
  let asked = 0;
  await page.route("**/api/**", (route, request) => {
    if (!isOfContent(request) || frame.has(pathOf(request))) return route.continue();
    asked += 1;
    return answers[state](route);
  });
  return () => asked;
}

/** All texts that are on the page, those in shadow roots as well. */
export function textsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walk = (node: Node): void => {
      if (node instanceof Text) texts.push(node.data.trim());
      if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return;
      const inside = node instanceof Element && node.shadowRoot ? [node.shadowRoot, node] : [node];
      for (const one of inside) for (const child of one.childNodes) walk(child);
    };
    walk(document.body);
    return texts.filter((text) => text !== "").join(" ");
  });
}
