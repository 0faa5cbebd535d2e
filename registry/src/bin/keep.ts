// What `npm start` becomes once everything is published. It prints one line of JSON when the kernel listens.
import { keep } from "../starting/keep.js";
import type { Keeping } from "../starting/keeper.js";
import { reportingFailure } from "../starting/failure.js";
import { forgetAllocator } from "../starting/sparing-keeper.js";

forgetAllocator(process.env);
await reportingFailure(() => keep(JSON.parse(process.argv[2] ?? "") as Keeping));
