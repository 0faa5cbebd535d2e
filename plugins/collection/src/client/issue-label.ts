import { numberLabel } from "../issues/number-label.js";

/** As {@link numberLabel} writes it; an unknown number is empty. */
export function issueLabel(number: string | null): string {
  return number === null ? "" : numberLabel(number);
}
