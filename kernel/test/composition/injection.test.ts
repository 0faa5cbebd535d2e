import { describe, expect, it } from "vitest";
import { inject, injectable, injectOptional, Parts, token } from "../../dist/injection.js";
import { DataFolder, Stopping } from "../../dist/kernel-tokens.js";

const Depth = token<number>("the depth");

class Well {
  constructor(
    readonly folder: string,
    readonly depth: number | undefined,
  ) {}
}
inject(DataFolder)(Well, undefined, 0);
injectOptional(Depth)(Well, undefined, 1);
// @ts-expect-error A signal is no string: `npm run check` fails when this compiles.
inject(Stopping)(class extends Well {}, undefined, 0);
injectable()(Well);

class Bucket {
  disposed = 0;
  constructor(readonly well: Well) {}
  dispose(): void {
    this.disposed += 1;
  }
}
inject(Well)(Bucket, undefined, 0);
injectable()(Bucket);

describe("the parts of a kernel", () => {
  it("are made once, of what their constructors name", () => {
    const parts = new Parts().classes(Bucket, Well).value(DataFolder, "/data").value(Depth, 7);
    expect(parts.get(Bucket).well).toEqual({ folder: "/data", depth: 7 });
    expect(parts.get(Bucket).well).toBe(parts.get(Well));
  });

  it("do without what is optional, and name everything on the way to what is missing", () => {
    expect(
      new Parts().classes(Well).value(DataFolder, "/data").value(Depth, undefined).get(Well).depth,
    ).toBeUndefined();
    expect(() => new Parts().classes(Bucket, Well).get(Bucket)).toThrow(/Bucket.*Well.*the data folder/s);
  });

  it("end with the activation that made them, and those of the kernel do not", async () => {
    const kernel = new Parts().classes(Well).value(DataFolder, "/data");
    const well = kernel.get(Well);
    const activation = new Parts(kernel).classes(Bucket);
    const bucket = activation.get(Bucket);
    expect(bucket.well).toBe(well);
    await activation.dispose();
    expect(bucket.disposed).toBe(1);
    expect(() => activation.get(Bucket)).toThrow(/disposed/);
    expect(kernel.get(Well)).toBe(well);
  });
});
