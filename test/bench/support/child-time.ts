// Imported before a benchmark by `compare`: prints, as its last line, the processor time of the processes that it started.
import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, and a process once it has ended. */
const millisecondsOfTick = 10;

process.on("exit", () => {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // Behind the name, which may hold anything: user and system time of the children are the fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const childMilliseconds = (Number(fields[13]) + Number(fields[14])) * millisecondsOfTick;
  process.stdout.write(`${JSON.stringify({ childMilliseconds })}\n`);
});
