let versions = 0;

/** A number that has not been given before in this process. */
export function nextVersion(): number {
  return ++versions;
}
