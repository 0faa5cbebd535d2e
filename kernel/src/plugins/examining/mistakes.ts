import { LongboxError } from "@longbox/sdk";
import { z } from "zod";

/** The mistakes of authors that an examination finds, and whether they keep a package from being installed. */
export const authorMistakes = {
  "peer-range": "error",
  "not-a-module": "error",
  "entry-missing": "error",
  "client-file-missing": "error",
  "client-file-not-served": "error",
  "worker-missing": "error",
  "site-missing": "error",
  "permission-namespace": "error",
  "element-prefix": "error",
  "kit-version": "error",
  "module-syntax": "error",
  "module-import": "error",
  "range-unreadable": "error",
  "engines-node": "error",
  platform: "error",
  "file-kind": "error",
  "messages-unreadable": "error",
  "host-is-address": "error",
  "declared-twice": "error",
  "permission-undeclared": "error",
  "page-path": "error",
  "reserved-name": "error",
  "work-at-import": "error",
  "failure-at-import": "error",
  "settings-not-an-object": "error",
  "settings-unusable": "error",
  "setting-not-json": "error",
  "setting-list-by-hand": "error",
  "settings-meta": "error",
  "setting-without-default": "error",
  "setting-default-refused": "error",
  "secret-with-default": "error",
  "setting-without-title": "warning",
  "migration-incomplete": "error",
  "migration-twice": "error",
  "migrations-out-of-order": "error",
  "migration-without-engine": "error",
  "migration-not-awaited": "error",
  "migration-statements": "error",
  "migration-empty": "warning",
  generator: "error",
  "contract-version": "error",
  "contract-not-asked-for": "warning",
  "path-parameter-without-schema": "error",
  "schema-without-path-parameter": "error",
  "get-with-body": "error",
  "method-unknown": "error",
  "route-schema": "error",
  "path-parameter-twice": "error",
  "route-without-handler": "error",
  "route-without-summary": "error",
  "route-field-unknown": "error",
  "route-field-wrong": "error",
  "parameter-not-text": "error",
  "cannot-isolate": "error",
  "contribution-refused": "error",
  "sql-not-portable": "warning",
  "undeclared-event": "warning",
  "element-undefined": "warning",
  "route-missing": "warning",
  "contribution-unfit": "warning",
  "no-licence": "warning",
  "no-readme": "warning",
  "no-repository": "warning",
} as const satisfies Record<string, "error" | "warning">;

export type MistakeCode = keyof typeof authorMistakes;

/** A mistake of a plugin's author. */
export interface Mistake {
  readonly code: MistakeCode;
  /** A sentence that names the file, the field or the route. */
  readonly message: string;
  /** Relative to the package. */
  readonly file?: string;
  /** In the file, from 1. */
  readonly line?: number;
}

/** Mistakes as another process tells them. */
export const mistakesSchema: z.ZodType<Mistake[]> = z.array(
  z.object({
    code: z.enum(Object.keys(authorMistakes) as [MistakeCode]),
    message: z.string(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
  }),
);

export const isError = (mistake: Mistake): boolean => authorMistakes[mistake.code] === "error";

/** The package has mistakes with which it cannot be installed. `details.mistakes` lists all of them. */
export class PluginMistakes extends LongboxError {
  constructor(plugin: string, mistakes: readonly Mistake[]) {
    const errors = mistakes.filter(isError);
    const messages = errors.map(({ message }) => message).join(" ");
    super("bad-input", "kernel/plugin-mistakes", `The plugin "${plugin}" cannot be used: ${messages}`, {
      plugin,
      mistakes,
    });
  }
}

/** @throws {PluginMistakes} unless all of them are warnings */
export function refuseMistakes(plugin: string, mistakes: readonly Mistake[]): void {
  if (mistakes.some(isError)) throw new PluginMistakes(plugin, mistakes);
}
