import type { Contributions, Releasable } from "@longbox/sdk";

/**
 * A signal that aborts once a contribution is gone because its plugin stopped or was upgraded. Dispose of it when it is
 * no longer needed.
 */
export function presenceOf<T extends object>(
  offered: Contributions<T>,
  contribution: T,
): Releasable & { readonly signal: AbortSignal } {
  const gone = new AbortController();
  const check = () => {
    if (!offered.all().includes(contribution)) gone.abort();
  };
  const listening = offered.onChange(check);
  check();
  return { signal: gone.signal, release: () => listening.release() };
}
