// Texts of the server's descriptions in another language.
import { expect, it, vi } from "vitest";
import { Api } from "../client/src/shell/api.js";
import { described, isDescribed } from "../client/src/shell/saying/described.js";
import { holdsPlaces, labelled } from "../client/src/shell/saying/labelled.js";

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

it("says the word of a library type in the names of works, and leaves the titles that people gave", () => {
  const saidWord = (text: string) => ({ book: "Buch", "Low Tides": "Ebbe" })[text] ?? text;
  const answer = [
    { label: { full: "Low Tides, book 2", short: "book 2½", within: null }, series: "Low Tides, book 2" },
    { title: "Moth Patrol, part 1", detail: "book 3", label: "Low Tides" },
  ];
  expect(holdsPlaces(answer)).toBe(true);
  expect(labelled(answer, saidWord)).toEqual([
    { label: { full: "Low Tides, Buch 2", short: "Buch 2½", within: null }, series: "Low Tides, book 2" },
    { title: "Moth Patrol, part 1", detail: "Buch 3", label: "Low Tides" },
  ]);
  expect(holdsPlaces([{ title: "Moth Patrol", label: { full: "Moth Patrol #3" } }])).toBe(false);
});

it("says an error without a translated code, and what is wrong with its fields, by their texts", async () => {
  const german: Readonly<Record<string, string>> = {
    "It is taken.": "Das ist vergeben.",
    "is too long": "ist zu lang",
    Backups: "Sicherungen",
  };
  const api = new Api();
  api.said = (text) => german[text] ?? text;
  api.messageOf = (code) => (code === "kernel/known" ? "Das ist bekannt." : undefined);
  const failing = async (body: unknown) => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 409 }));
    return api.call("/api/x").catch((thrown: unknown) => thrown);
  };
  try {
    expect(
      await failing({ error: "It is taken.", code: "of/another", details: { name: "is too long", id: "Backups" } }),
    ).toMatchObject({
      message: "Das ist vergeben.",
      details: { name: "ist zu lang", id: "Backups" },
    });
    expect(await failing({ error: "It is taken.", code: "kernel/known" })).toMatchObject({
      message: "Das ist bekannt.",
    });
  } finally {
    vi.unstubAllGlobals();
  }
});
