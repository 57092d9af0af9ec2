import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { openHostingSwitch, type HostingSwitch } from "./hosting-switch.ts";
import { openSettings } from "../config/settings.ts";
import { createSwitchedParts, lanHere, occupyPort, type SwitchedConfig } from "./support/switched-parts.ts";

async function setUp(given: SwitchedConfig = {}) {
  const parts = await createSwitchedParts(given);
  let changes = 0;
  const open = async (): Promise<HostingSwitch> => {
    const hosting = await openHostingSwitch({ ...parts, onChange: () => (changes += 1) });
    onTestFinished(() => hosting.close());
    return hosting;
  };
  return { ...parts, open, changes: () => changes };
}

const conflict = (words: RegExp) =>
  expect.toSatisfy((error: unknown) => isAppError(error, "conflict") && words.test(error.message)) as unknown;

describe("the switch of hosting", () => {
  test("is off at first; switched on it answers, and is on again after a restart", async () => {
    const { open, settings, api, config, changes } = await setUp();
    const hosting = await open();
    expect((await hosting.read()).listener).toEqual({ status: "off" });
    const { listener } = await hosting.switchHosting(true);
    const origin = api.origin();
    expect(listener).toEqual({ status: "on", address: origin });
    expect((await fetch(`${origin!}/client/v4/`)).status).toBe(404);
    expect(changes()).toBe(1);
    await hosting.close();
    expect(api.origin()).toBeNull();
    expect(settings.current().hosting).toBe(true);
    const again = await createSwitchedParts({ directory: config.dataDirectory });
    const reopened = await openHostingSwitch({ ...again, onChange: () => undefined });
    expect((await reopened.read()).listener).toMatchObject({ status: "on" });
    await reopened.close();
  });

  test("reports a taken port once, and can be retried", async () => {
    const { port, free } = await occupyPort();
    const { open, warnings, settings } = await setUp({ api: { port } });
    const hosting = await open();
    const problem = `Port ${port} on 127.0.0.1 is taken by another program; end that one, or choose another port: repositories.port in the file of serve --config.`;
    expect((await hosting.switchHosting(true)).listener).toEqual({ status: "failed", problem });
    expect(warnings).toEqual([`warn: ${problem}`]);
    expect(settings.current().hosting).toBe(true);
    await free();
    expect((await hosting.switchHosting(true)).listener).toMatchObject({ status: "on" });
    expect(warnings).toHaveLength(1);
  });

  test("turns a failed start into a state if the settings asked for it, and into an error if the configuration did", async () => {
    const { port } = await occupyPort();
    const asked = await setUp({ api: { port } });
    await asked.settings.change({ hosting: true });
    expect((await (await asked.open()).read()).listener).toMatchObject({ status: "failed" });
    const configured = await setUp({ api: { port, isOn: true } });
    await expect(configured.open()).rejects.toMatchObject({ code: "address-in-use" });
    expect(configured.api.origin()).toBeNull();
  });

  test("reports once what to do if another host uses the directory", async () => {
    const first = await setUp();
    const running = await first.open();
    await running.switchHosting(true);
    const second = await setUp({ directory: first.config.dataDirectory });
    const { listener } = await (await second.open()).read();
    const problem =
      "The repositories of this data directory are in use by another Echotop; close that one, or give this one a directory of its own.";
    expect(listener).toEqual({ status: "failed", problem });
    expect(second.warnings).toEqual([`warn: ${problem}`]);
    expect(second.api.origin()).toBeNull();
    expect((await running.read()).listener).toMatchObject({ status: "on" });
  });

  test("runs concurrent changes one by one; the last one holds", async () => {
    const { open, settings, api } = await setUp();
    const hosting = await open();
    const states = await Promise.all([true, false, true, false].map((on) => hosting.switchHosting(on)));
    expect(states.map(({ listener }) => listener.status)).toEqual(["on", "off", "on", "off"]);
    expect(settings.current().hosting).toBe(false);
    expect(api.origin()).toBeNull();
  });

  test("closing during a change waits for it, stops what it started, and refuses later changes", async () => {
    const { open, api } = await setUp();
    const hosting = await open();
    const switching = hosting.switchHosting(true);
    // After the change in progress, before the close.
    const later = hosting.switchHosting(true).catch((error: unknown) => error);
    await hosting.close();
    await Promise.allSettled([switching, later]);
    expect(hosting.running).toBeUndefined();
    expect(api.origin()).toBeNull();
    await expect(hosting.switchHosting(true)).rejects.toEqual(conflict(/closing/));
    await hosting.close();
  });

  test("refuses to switch off what the configuration switches on", async () => {
    const { open, settings } = await setUp({ api: { isOn: true } });
    const hosting = await open();
    await expect(hosting.switchHosting(false)).rejects.toEqual(conflict(/configuration file/));
    expect((await hosting.read()).listener).toMatchObject({ status: "on" });
    expect(settings.current().hosting).toBe(false);
  });
});

describe("sharing with other machines", () => {
  test("is refused while hosting is off", async () => {
    const { open, settings } = await setUp();
    const hosting = await open();
    await expect(hosting.switchLan(true)).rejects.toEqual(conflict(/Hosting is off/));
    expect(settings.current().lan).toBe(false);
  });

  test("starts and stops with hosting, and stays in the settings", async () => {
    const { open, config } = await setUp();
    const hosting = await open();
    await hosting.switchHosting(true);
    expect(await hosting.switchLan(true)).toMatchObject({ status: "on" });
    await hosting.switchHosting(false);
    expect(hosting.readLan()).toEqual({ status: "off" });
    expect((await openSettings(config.dataDirectory)).current()).toMatchObject({ hosting: false, lan: true });
    await hosting.switchHosting(true);
    expect(hosting.readLan()).toMatchObject({ status: "on" });
    expect(await hosting.switchLan(false)).toEqual({ status: "off" });
    expect((await hosting.read()).listener).toMatchObject({ status: "on" });
  });

  test("reports a taken port, and hosting continues", async () => {
    const { port } = await occupyPort();
    const { open, warnings } = await setUp({ api: { lan: { ...lanHere, port } } });
    const hosting = await open();
    await hosting.switchHosting(true);
    const problem = `Port ${port} on 127.0.0.1 is taken by another program; end that one, or choose another port: repositories.lan.port in the file of serve --config.`;
    expect(await hosting.switchLan(true)).toEqual({ status: "failed", problem });
    expect((await hosting.read()).listener).toMatchObject({ status: "on" });
    expect(warnings).toContain(`warn: ${problem}`);
  });

  test("is not switched off if the configuration switches it on", async () => {
    const { open } = await setUp({ api: { isOn: true, lan: { ...lanHere, isOn: true } } });
    const hosting = await open();
    expect(hosting.readLan()).toMatchObject({ status: "on" });
    await expect(hosting.switchLan(false)).rejects.toEqual(conflict(/configuration file/));
  });
});
