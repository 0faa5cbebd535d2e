/** What keeps an ICU message from being said, in a few words; undefined when nothing does. */
export async function messageProblem(source: string): Promise<string | undefined> {
  const { compileMessage } = await import("./compile.js");
  try {
    compileMessage(source);
    return undefined;
  } catch (fault) {
    const { message } = fault as Error;
    // The parser names faults by constants such as MISSING_OTHER_CLAUSE.
    return /^[A-Z_]+$/.test(message) ? message.toLowerCase().replaceAll("_", " ") : message;
  }
}
