import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Check } from "./check.js";

/** A check by a program of node_modules: it holds when the program ends well, else its output says what is wrong. */
export function toolCheck(name: string, program: string, args: readonly string[]): Check {
  return {
    name,
    async find(root) {
      const { code, output } = await runProgram(join(root, "node_modules", ".bin", program), args, root);
      return code === 0 ? [] : [output.trim() || `${program} ended with code ${code}.`];
    },
  };
}

export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}
