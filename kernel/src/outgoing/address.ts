/** The address of another server that a plugin named. @throws {TypeError} with a sentence, where it is none */
export function addressOf(given: string | URL): URL {
  const url = URL.parse(String(given));
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new TypeError(
    `A plugin reaches other servers by addresses such as https://api.example.org/v1, and this is none: ${JSON.stringify(String(given).slice(0, 200))}.`,
  );
}
