import { z } from "zod";
import type { LogLine } from "@longbox/sdk";
import type { Routes } from "../http/routing/routes.js";
import type { Answered } from "./http-client.js";

const json = /^application\/json\b/;

/** @throws {Error} when a successful answer in JSON is not what the response schema of its route describes */
export function checkAgainstSchema(routes: Routes, { method, path, status, headers, body }: Answered): void {
  if (status !== 200 && status !== 201) return;
  const { pathname } = new URL(path, "http://localhost");
  const schema = routes.table.find(pathname)?.methods.get(method)?.route.response;
  if (schema === undefined || !json.test(headers.get("content-type") ?? "")) return;
  const parsed = schema.safeParse(body);
  if (parsed.success) return;
  const problem = `${method} ${path} answered what the response schema of its route does not describe:`;
  throw new Error(`${problem}\n${z.prettifyError(parsed.error)}`);
}

/** The stacks behind answers with the status 500, by their requests, which the log of the server names. */
export class FaultStacks {
  readonly #stacks = new Map<string, string>();

  hear({ requestId, fields }: LogLine): void {
    if (requestId !== undefined && typeof fields["error"] === "string") this.#stacks.set(requestId, fields["error"]);
  }

  /** Writes the stack of a failed request to the console, which test runners show with the test. */
  tell({ method, path, status, headers }: Answered): void {
    if (status !== 500) return;
    const stack = this.#stacks.get(headers.get("x-request-id") ?? "");
    // Test runners show the console beside the test; they do not know of the server's log.
    // oxlint-disable-next-line no-console
    if (stack !== undefined) console.error(`${method} ${path} answered 500:\n${stack}`);
  }
}
