import type { ErrorKind } from "@longbox/sdk";

/** The one table from what went wrong to HTTP's number for it. */
export const statusOf: Readonly<Record<ErrorKind, number>> = {
  "bad-input": 400,
  "not-signed-in": 401,
  forbidden: 403,
  "not-found": 404,
  "wrong-method": 405,
  conflict: 409,
  "precondition-failed": 412,
  "too-large": 413,
  "unsupported-type": 415,
  "too-many-requests": 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  "storage-full": 507,
};

/** Statuses of answers that no `LongboxError` stands for. */
export const status = {
  ok: 200,
  created: 201,
  empty: 204,
  partial: 206,
  found: 302,
  notModified: 304,
  malformed: 400,
  wrongMethod: 405,
  timeout: 408,
  preconditionFailed: 412,
  tooLarge: 413,
  rangeNotSatisfiable: 416,
  expectationFailed: 417,
  misdirected: 421,
  headersTooLarge: 431,
} as const;
