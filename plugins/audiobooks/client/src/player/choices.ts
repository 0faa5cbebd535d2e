import { t, unmarked } from "@longbox/sdk/ui";

/** What this browser keeps between visits. */
const keys = {
  rate: "longbox.audiobooks.rate",
  skips: "longbox.audiobooks.skip-silences",
  volume: "longbox.audiobooks.volume",
  device: "longbox.audiobooks.device",
} as const;

export const slowest = 0.5;
export const fastest = 3;

export function chosenRate(): number {
  const rate = Number(localStorage.getItem(keys.rate) ?? 1);
  return rate >= slowest && rate <= fastest ? rate : 1;
}

export function chooseRate(rate: number): void {
  localStorage.setItem(keys.rate, String(rate));
}

/** 0 to 1. */
export function chosenVolume(): number {
  const volume = Number(localStorage.getItem(keys.volume) ?? 1);
  return volume >= 0 && volume <= 1 ? volume : 1;
}

export function chooseVolume(volume: number): void {
  localStorage.setItem(keys.volume, String(volume));
}

export const skipsSilences = (): boolean => localStorage.getItem(keys.skips) === "1";

export function chooseSkipping(skips: boolean): void {
  localStorage.setItem(keys.skips, skips ? "1" : "0");
}

/** What this browser is called in reports: the same every time, and another one in every browser. */
export function deviceName(): string {
  const known = localStorage.getItem(keys.device);
  if (known) return known;
  const kind = /Android|iPhone|iPad|Macintosh|Windows|Linux/.exec(navigator.userAgent)?.[0] ?? t("choices.aComputer");
  const program =
    /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0]?.replace("Edg", "Edge") ?? t("choices.browser");
  const value = crypto.getRandomValues(new Uint16Array(1))[0]!.toString(36);
  const name = unmarked(t("choices.on", { program, kind, value }));
  localStorage.setItem(keys.device, name);
  return name;
}

const openKey = "longbox.audiobooks.open";

/** The book that is open in this tab, which is opened again after a reload. */
export const openBook = {
  get: (): number | undefined => Number(sessionStorage.getItem(openKey)) || undefined,
  set: (issueId: number): void => sessionStorage.setItem(openKey, String(issueId)),
  clear: (): void => sessionStorage.removeItem(openKey),
};
