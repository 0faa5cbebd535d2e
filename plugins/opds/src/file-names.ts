import type { Issue } from "@longbox/collection/contract";

/** A name that any file system takes: `Moth Patrol 012.cbz`, whatever the file is called in the library. */
export function tidyFileName(issue: Pick<Issue, "seriesTitle" | "number">, fileName: string): string {
  const number = /^\d+$/.test(issue.number) ? issue.number.padStart(3, "0") : issue.number;
  const stem = `${issue.seriesTitle} ${number}`.replace(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, " ").replace(/\s+/g, " ").trim();
  return `${stem.slice(0, 150).replace(/[. ]+$/, "")}${extensionOf(fileName)}`;
}

function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0].toLowerCase() ?? "";
}

/** `Moth Patrol #12: The Lamp` */
export function issueTitle(issue: Pick<Issue, "seriesTitle" | "number" | "title">): string {
  const number = /^[\d½¼¾.-]/.test(issue.number) ? `#${issue.number}` : issue.number;
  return `${issue.seriesTitle} ${number}${issue.title ? `: ${issue.title}` : ""}`;
}
