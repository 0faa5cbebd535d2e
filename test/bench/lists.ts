// Importing 1,700 reading lists, as a community publishes them. LONGBOX_BENCH_LISTS makes it fewer.
import { reportLists } from "./support/figures/list-figures.ts";

await reportLists("lists", Number(process.env["LONGBOX_BENCH_LISTS"] ?? 1_700));
