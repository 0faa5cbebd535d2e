/** An `<error>` of an indexer, for a person. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  /** It can be asked again later, and not before. */
  readonly isLimit: boolean;
}

/** What the error codes of newznab mean. */
export function refusalOf(
  { code, description }: { readonly code: number; readonly description: string },
  clean: (text: string) => string,
): Refusal {
  const said = description === "" ? `error ${code}` : `${clean(description)} (error ${code})`;
  if (code >= 100 && code < 200)
    return {
      code: "source-usenet/not-allowed",
      message: `The indexer refuses the API key: ${said}. Check the key, and the account there.`,
      isLimit: false,
    };
  if (code === 500 || code === 501)
    return {
      code: "source-usenet/limit-reached",
      message: `The indexer allows no more requests now: ${said}.`,
      isLimit: true,
    };
  if (code >= 200 && code < 300)
    return {
      code: "source-usenet/request-refused",
      message: `The indexer cannot answer this request: ${said}.`,
      isLimit: false,
    };
  return { code: "source-usenet/no-answer", message: `The indexer answered with an error: ${said}.`, isLimit: false };
}
