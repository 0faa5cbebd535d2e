/** Resource numbers of the provider's addresses. */
const resources = { volume: "4050", issue: "4000", arc: "4045" } as const;
export type ProviderResource = keyof typeof resources;

/**
 * Parses an id in any common form: `5001`, `4050-5001`, `cv:5001`, `cv-5001`, or the address of the provider's page.
 */
export function readProviderId(written: string, resource: ProviderResource): number | undefined {
  const text = written.trim();
  const inAddress = new RegExp(`(?:^|/)${resources[resource]}-(\\d{1,12})(?:[/?#]|$)`).exec(text);
  const bare = /^(?:cv[:-]?\s*)?(\d{1,12})$/i.exec(text);
  const id = Number(inAddress?.[1] ?? bare?.[1]);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
