// Which answers an upgrade must not change.
import type { PlainAnswer } from "../../whole/support/every-answer.ts";

/** What describes the release and its plugins, not what people left on the server. */
const ofTheRelease = [
  /^\/api\/(openapi\.json|plugins|permissions|version|health|tools|client|settings\/(schema|groups)|i18n|messages)(\/|$)/,
  /^\/api\/(sources|system|about|metrics|limits|outgoing)(\/|$)/,
];

export function isOfData(path: string): boolean {
  return path.startsWith("/api/") && !ofTheRelease.some((pattern) => pattern.test(path));
}

/** Fields that are not of the data: texts of the release, and what tells one copy of a file from another. */
const leftOut: ReadonlyArray<{ readonly path: RegExp; readonly fields: readonly string[] }> = [
  { path: /^\/api\/schedules$/, fields: ["title", "description"] },
  { path: /^\/api\/reader\/issue\/-?\d+$/, fields: ["version"] },
];

/** Only answers with content that the server drew from its data. Images may be drawn better by a later release. */
export function comparable(answers: Readonly<Record<string, PlainAnswer>>): Record<string, PlainAnswer> {
  const good = Object.entries(answers).filter(([, { status }]) => status < 300);
  return Object.fromEntries(
    good.map(([path, answer]) => [
      path,
      { ...answer, body: answer.type === "application/json" ? ofData(path, answer.body) : undefined },
    ]),
  );
}

function ofData(path: string, body: unknown): unknown {
  const fields = leftOut.flatMap((each) => (each.path.test(path) ? each.fields : []));
  return JSON.parse(JSON.stringify(body, (name, value) => (fields.includes(name) ? undefined : value)));
}
