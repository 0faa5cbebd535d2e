import { t, unmarked } from "@longbox/sdk/ui";

const key = "longbox.book-reader.device";

/** The name of this browser in positions, the same at every visit: `Firefox on Android 3f9c`. */
export function thisDevice(): string {
  const stored = read(key);
  if (stored !== null) return stored;
  const suffix = crypto.getRandomValues(new Uint16Array(1))[0]!.toString(16).padStart(4, "0");
  const name = unmarked(t("thisDevice.on", { value: browserName(), value2: systemName(), suffix }));
  write(key, name);
  return name;
}

/** The name as people know it. */
export function deviceLabel(device: string): string {
  return unmarked(device).replace(/ [0-9a-f]{4}$/, "");
}

interface LastPlace {
  readonly locator: string;
  readonly fraction: number;
}

/** Where this browser was last in a book. */
export function lastPlaceHere(userId: number, cvIssueId: number): LastPlace | undefined {
  try {
    const place = JSON.parse(read(placeKey(userId, cvIssueId)) ?? "null") as Partial<LastPlace> | null;
    if (typeof place?.locator !== "string" || typeof place.fraction !== "number") return undefined;
    return { locator: place.locator, fraction: place.fraction };
  } catch {
    // Content that this program has not written.
    return undefined;
  }
}

export function keepPlaceHere(userId: number, cvIssueId: number, { locator, fraction }: LastPlace): void {
  write(placeKey(userId, cvIssueId), JSON.stringify({ locator, fraction }));
}

const placeKey = (userId: number, cvIssueId: number) => `longbox.book-reader.place.${userId}.${cvIssueId}`;

function browserName(): string {
  const names = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
  return (
    Object.entries(names).find(([mark]) => navigator.userAgent.includes(`${mark}/`))?.[1] ?? t("thisDevice.browser")
  );
}

function systemName(): string {
  const names = { Android: "Android", iPhone: "iPhone", iPad: "iPad", Windows: "Windows", Mac: "Mac", Linux: "Linux" };
  return Object.entries(names).find(([mark]) => navigator.userAgent.includes(mark))?.[1] ?? t("thisDevice.aComputer");
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // A browser without storage: the server's position is the only one.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As above, or full: the server has the position too.
  }
}
