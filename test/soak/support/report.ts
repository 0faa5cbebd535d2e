import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { percentile } from "../../bench/support/measure.ts";
import { drawLines, type LinePlot } from "../../plots/line-plot.ts";
import { thisMachine } from "../../plots/machine.ts";
import type { SoakOptions } from "./options.ts";
import type { Sample } from "./sampling.ts";
import type { Tally } from "./tally.ts";
import { warmUpShare, type Verdict } from "./verdict.ts";

export interface Soaked {
  readonly options: SoakOptions;
  readonly root: string;
  readonly began: Date;
  readonly samples: readonly Sample[];
  readonly tally: Tally;
  readonly verdict: Verdict;
}

/** Writes `soak.json`, `soak.svg` and `soak.md`. */
export async function writeReport(soaked: Soaked): Promise<string> {
  const { options, samples, tally, verdict } = soaked;
  await mkdir(options.folder, { recursive: true });
  const machine = thisMachine(soaked.root);
  const figures = {
    ...{ machine, options, began: soaked.began, verdict, answers: tally.answers, serverErrors: tally.serverErrors },
    ...{ expected: Object.fromEntries(tally.expected), wrongs: tally.wrongs, wrong: tally.wrong, samples },
  };
  await writeFile(join(options.folder, "soak.json"), `${JSON.stringify(figures, undefined, 1)}\n`);
  await writeFile(join(options.folder, "soak.svg"), drawLines(plotsOf(samples)));
  const page = pageOf(soaked, machine);
  await writeFile(join(options.folder, "soak.md"), page);
  return page;
}

function plotsOf(samples: readonly Sample[]): LinePlot[] {
  const line = (title: string, field: keyof Sample) => ({
    title,
    points: samples.map((sample) => [sample.minute, sample[field]] as const),
  });
  const plot = (title: string, ...lines: LinePlot["lines"]) => ({ title, xTitle: "minutes", lines });
  return [
    plot(
      "Memory, MB",
      line("all processes", "treeMegabytes"),
      line("serving process", "residentMegabytes"),
      line("heap", "heapMegabytes"),
    ),
    plot(
      "Open",
      line("files and sockets", "descriptors"),
      line("handles of the loop", "resources"),
      line("event streams", "eventClients"),
    ),
    plot(
      "Answers, ms",
      line("99 of 100", "p99Ms"),
      line("median", "p50Ms"),
      line("event loop, 99 of 100", "loopDelayMs"),
    ),
    plot("Answers a second", line("answers", "answersPerSecond")),
    plot("Answers of 500 and more", line("since the sample before", "serverErrors")),
  ];
}

function pageOf({ options, began, samples, tally, verdict }: Soaked, machine: ReturnType<typeof thisMachine>): string {
  const last = samples.at(-1)?.minute ?? 0;
  const times = tally.sampledTimes;
  const expected = [...tally.expected].map(([code, count]) => `${code} ${count}`).join(", ") || "none";
  const rows = verdict.growth.map(
    ({ title, perHour, inRun, holds }) =>
      `| ${title} | ${perHour.toFixed(2)} | ${inRun.toFixed(2)} | ${holds ? "flat" : "grows"} |`,
  );
  return [
    `# Soak of ${last.toFixed(0)} minutes: ${verdict.holds ? "holds" : "does not hold"}`,
    "",
    `${began.toISOString()}, rate ${options.rate}, seed ${options.seed}, ${samples.length} samples, commit ${machine.commit}.`,
    `${machine.system}, ${machine.processor}, ${machine.memory}, Node ${machine.node}, load ${machine.load.toFixed(1)} at the end.`,
    "",
    `${tally.answers} answers; median ${percentile(times, 0.5).toFixed(1)} ms, 99 of 100 within ${percentile(times, 0.99).toFixed(0)} ms.`,
    `503 while plugins were switched: ${expected}. Other failures: ${tally.wrongs}.`,
    "",
    `| After the first ${Math.round(warmUpShare * 100)} % | growth in an hour | in the run | |`,
    "|---|---|---|---|",
    ...rows,
    "",
    "![Plots](soak.svg)",
    "",
    ...(verdict.faults.length > 0 ? ["## What was wrong", "", ...verdict.faults.map((fault) => `- ${fault}`), ""] : []),
  ].join("\n");
}
