// Rules of alerts: what fires, what was said, and the rules, with names of agents and rules that would act if they could.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { calm, hostile, serve } from "../lib.mjs";

export const name = "alerts";
export const alone = true;

/** Names in which nothing is a control character: those are refused. */
const NAMES = hostile(50).map((text) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ""));
const PROMPT = "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.";
const REPORT = "# Seed library\n\nThe seed library opens within 9 months and costs 900 EUR.";

const settings = () => {
  const rule = (text) => `[[alerts.rules]]\nname = ${JSON.stringify(text)}\nmetric = "broken_obligations"\nabove = 0\ncooldown_minutes = 0\n`;
  return `[alerts.commands.fails]\nargv = ["sh", "-c", "echo '<img src=x onerror=window.ran=1>' >&2; exit 3"]\n`
    + NAMES.slice(0, 25).map(rule).join("")
    + `[[alerts.rules]]\nname = "steps"\nmetric = "broken_bans"\nabove = 0\n`;
};

export async function go(visitor) {
  const begun = (folder) => fs.writeFileSync(path.join(folder, "steadfast.toml"), settings());
  const server = await serve(["--store", "s.db"], { begun });
  const post = async (address, body) => {
    const answer = await fetch(server.url + address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.text());
  };
  const get = async (address) => (await fetch(server.url + address)).json();
  const all = { baseURL: server.url };
  try {
    await visitor.inspect("/alerts", "alerts-none", all);
    for (const agent of NAMES.slice(0, 3)) await post("/api/audit", { prompt: PROMPT, report: REPORT, agent });
    await post(`/api/trajectories/${encodeURIComponent(NAMES[3])}/steps`, [{ agent: NAMES[4], prompt: "Write a poem on roses. Banned words: blockchain.", output: "A blockchain of roses." }]);
    const fires = 25 * 3 + 1;
    let standing = [];
    while (standing.length < fires) standing = (await get("/api/alerts?firing=true&limit=200")).standing;
    for (;;) {
      const { notices } = await get("/api/alerts/history?limit=200");
      if (notices.length === fires && notices.every((own) => own.deliveries.every((to) => to.state === "failed"))) break;
    }

    for (const script of [true, false]) {
      const page = await visitor.page({ ...all, script });
      await page.goto("/alerts");
      if (script) await calm(page, "/alerts");
      // What fires is what the API says, each with the way to its run or trajectory.
      const rows = page.locator("#firing tbody tr");
      assert.equal(await rows.count(), fires);
      const links = await rows.locator('td[data-label="Of"] a').evaluateAll((found) => found.map((own) => own.getAttribute("href")));
      const subjects = standing.map((own) => `${own.rule === "steps" ? "/watch/live" : "/runs"}/${encodeURIComponent(own.subject)}`);
      const plain = (own) => decodeURIComponent(own);
      assert.deepEqual(links.map(plain).sort(), subjects.map(plain).sort());
      const times = await rows.locator("time").evaluateAll((found) => found.map((own) => own.getAttribute("datetime")));
      assert.deepEqual([...times].sort(), standing.map((own) => own.since).sort());
      // What was said, page by page.
      const seen = new Set();
      for (;;) {
        for (const at of await page.locator("#history tbody tr").allInnerTexts()) assert.match(at, /not told, 1 attempt/);
        seen.add(await page.locator("#history tbody tr").count());
        const next = page.getByRole("link", { name: "Next page" });
        if ((await next.count()) === 0) break;
        const address = new URL(await next.getAttribute("href"), page.url()).href;
        await next.click();
        await page.waitForURL(address);
        await page.locator("#history tbody tr").nth(fires - 50 - 1).waitFor();
        await page.locator("#history tbody tr").nth(fires - 50).waitFor({ state: "detached" });
      }
      assert.deepEqual([...seen], [50, fires - 50]);
      assert.equal(await page.locator("#rules tbody tr").count(), 26);
      // The way by a rule's name, and by an agent's.
      await page.goto("/alerts");
      await rows.first().getByRole("rowheader").getByRole("link").click();
      await page.waitForURL(/rule=/);
      assert.equal(await rows.count(), 3);
      await page.goto("/alerts");
      await rows.first().locator('td[data-label="Agent"] a').click();
      await page.waitForURL(/agent=/);
      assert.equal(await rows.count(), standing.filter((own) => own.agent === standing[0].agent).length);
      if (script) await calm(page, "an agent's alerts");
      // The overview leads here.
      await page.goto("/");
      if (script) await calm(page, "/");
      assert.equal(await page.locator("#alerts tbody tr").count(), 5);
      await page.locator("#alerts").getByRole("link", { name: "All alerts" }).click();
      await page.waitForURL(/\/alerts$/);
      await page.leave();
    }
    await visitor.inspect("/alerts", "alerts", all);
    await visitor.inspect("/", "overview-alerts", all);
    await visitor.inspect("/runs", "runs-agents", all);
  } finally {
    await server.end();
  }
}
