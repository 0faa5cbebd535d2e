import { LongboxError, type ExtensionPoint } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";

/** A plugin did something that its manifest does not declare. */
export class Undeclared extends LongboxError {
  constructor(code: string, message: string) {
    super("internal", code, message);
  }
}

/** @throws {Undeclared} unless the manifest opens the point in exactly this version */
export function checkOpened(plugin: string, { opens }: Manifest, point: ExtensionPoint<object>): void {
  if (opens[point.id] === point.version) return;
  throw new Undeclared(
    "kernel/undeclared-extension-point",
    `The plugin "${plugin}" does not open "${point.id}" ${point.version} in its manifest.`,
  );
}
