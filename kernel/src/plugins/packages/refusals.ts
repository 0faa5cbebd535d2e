import { LongboxError } from "@longbox/sdk/light";

/** All reasons to refuse a package, by the code that clients see. */
export const packageRefusals = {
  "kernel/package-not-found": "not-found",
  "kernel/version-not-found": "not-found",
  "kernel/not-a-plugin": "bad-input",
  "kernel/bad-manifest": "bad-input",
  "kernel/wrong-package": "upstream",
  "kernel/no-integrity": "upstream",
  "kernel/integrity-mismatch": "upstream",
  "kernel/integrity-changed": "conflict",
  "kernel/tarball-elsewhere": "upstream",
  "kernel/tarball-too-large": "upstream",
  "kernel/tarball-truncated": "upstream",
  "kernel/tarball-slow": "upstream",
  "kernel/tarball-broken": "upstream",
  "kernel/tarball-link": "upstream",
  "kernel/tarball-device": "upstream",
  "kernel/tarball-outside": "upstream",
  "kernel/tarball-backslash": "upstream",
  "kernel/tarball-bad-name": "upstream",
  "kernel/tarball-duplicate": "upstream",
  "kernel/tarball-too-many-files": "upstream",
  "kernel/unpacked-too-large": "upstream",
  "kernel/registry-unreachable": "upstream",
  "kernel/registry-redirects": "upstream",
  "kernel/registry-broken": "upstream",
  "kernel/registry-refused": "conflict",
  "kernel/sdk-too-different": "conflict",
  "kernel/file-too-large": "upstream",
  "kernel/trial-import-failed": "bad-input",
  "kernel/page-taken": "conflict",
  "kernel/no-such-slot": "bad-input",
  "kernel/signature-invalid": "upstream",
  "kernel/signature-required": "conflict",
  "kernel/provenance-invalid": "upstream",
  "kernel/provenance-required": "conflict",
  "kernel/attestations-elsewhere": "upstream",
  "kernel/id-taken": "conflict",
  "kernel/permission-taken": "conflict",
  "kernel/breaks-others": "conflict",
  "kernel/requirement-cycle": "conflict",
} as const;

export type PackageRefusalCode = keyof typeof packageRefusals;

/** The host refuses a package; nothing of it is kept. */
export class PackageRefused extends LongboxError {
  constructor(
    code: PackageRefusalCode,
    message: string,
    { details, cause }: { details?: unknown; cause?: unknown } = {},
  ) {
    super(packageRefusals[code], code, message, details, { cause });
  }
}
