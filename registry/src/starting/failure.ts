/** Runs the program; a failure is told in a sentence, and is its exit code. */
export async function reportingFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  // The channel to the program that started this one would keep the process alive.
  if (process.connected) process.disconnect();
}
