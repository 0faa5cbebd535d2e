// Texts of the server's descriptions in another language.
import { expect, it } from "vitest";
import { described, isDescribed } from "../client/src/shell/described.js";

const german: Readonly<Record<string, string>> = {
  Backups: "Sicherungen",
  Viewer: "Leser",
  "Change settings": "Einstellungen ändern",
};
const said = {
  said: (text: string) => german[text] ?? text,
  failed: (code: string) => (code === "kernel/offline" ? "Kein Netz." : undefined),
};

it("says labels, titles and descriptions in the language, wherever they are", () => {
  expect(
    described({ backup: { title: "Backups", default: "Backups", properties: { keep: { title: "Unknown" } } } }, said),
  ).toEqual({ backup: { title: "Sicherungen", default: "Backups", properties: { keep: { title: "Unknown" } } } });
  expect(described([{ key: "settings.manage", label: "Change settings" }, null, 7], said)).toEqual([
    { key: "settings.manage", label: "Einstellungen ändern" },
    null,
    7,
  ]);
});

it("says the words of choices, whose values stay", () => {
  const field = { enum: ["Backups", "off"], labels: { Backups: "Backups", off: "Nothing" } };
  expect(described({ properties: { keep: field } }, said)).toEqual({
    properties: { keep: { ...field, labels: { Backups: "Sicherungen", off: "Nothing" } } },
  });
});

it("leaves roles alone that users have named", () => {
  expect(
    described(
      [
        { label: "Viewer", builtin: true },
        { label: "Viewer", builtin: false },
      ],
      said,
    ),
  ).toEqual([
    { label: "Leser", builtin: true },
    { label: "Viewer", builtin: false },
  ]);
});

it("says why a job failed by the code of the error, and by its text where that has none", () => {
  const job = { title: "Backups", error: "No network." };
  expect(described([{ ...job, errorCode: "kernel/offline" }, { ...job, errorCode: "of/another" }, job], said)).toEqual([
    { title: "Sicherungen", error: "Kein Netz.", errorCode: "kernel/offline" },
    { title: "Sicherungen", error: "No network.", errorCode: "of/another" },
    { title: "Sicherungen", error: "No network." },
  ]);
});

it("knows the answers that describe", () => {
  expect(["/api/permissions", "/api/jobs?limit=50", "/api/jobs/7", "/api/plugins"].every(isDescribed)).toBe(true);
  expect(["/api/series", "/api/settings", "/api/permissions/x"].some(isDescribed)).toBe(false);
});
