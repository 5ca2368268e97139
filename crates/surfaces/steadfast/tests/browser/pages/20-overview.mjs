// What ran: the overview, the list and its filters, settings.

import assert from "node:assert/strict";

import { api, base, figure } from "../lib.mjs";

export const name = "overview, runs and settings";

const PROMPT = "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.";

/** An audit of a report, over the API. */
async function audited(report) {
  const answer = await fetch(`${base}/api/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt: PROMPT, report }),
  });
  assert.equal(answer.status, 200);
  return answer.json();
}

export async function go(visitor) {
  for (let n = 0; n < 55; n += 1) await audited(`# Seed library ${n}\n\nThe seed library opens within ${n} months and costs ${n}00 EUR.`);
  await visitor.inspect("/", "overview");
  await visitor.inspect("/runs", "runs");
  await visitor.inspect("/runs?text=nothing-has-this-name", "runs-none");
  await visitor.inspect("/settings", "settings");

  const settings = await visitor.page();
  await settings.goto("/settings");
  const listed = settings.locator("tr", { has: settings.getByRole("rowheader", { name: "listen" }) });
  assert.equal(await listed.locator("td").first().innerText(), new URL(base).host);
  await settings.leave();

  const runs = [];
  for (let cursor = ""; ; ) {
    const list = await api(`/api/runs?limit=50${cursor && `&cursor=${cursor}`}`);
    runs.push(...list.runs);
    cursor = list.next_cursor;
    if (!cursor) break;
  }
  assert.ok(runs.length >= 55);

  // The overview counts what the list has.
  const page = await visitor.page();
  await page.goto("/");
  assert.equal(Number(await figure(page, "Runs")), runs.length);
  const of_audit = runs.filter((run) => run.verb === "audit");
  const audits = page.locator(".trend-of", { has: page.getByRole("heading", { name: "Audit" }) });
  assert.equal(Number(await audits.locator("b").innerText()), of_audit.length);
  assert.match(await audits.locator("desc").textContent(), new RegExp(`^${of_audit.length} in 30 days, `));
  const bad = runs.filter((run) => run.exit_status !== 0 || /^(risk high|risk critical|rejected|fail|request_revision)$/.test(run.verdict) || (run.verb === "watch" && run.verdict !== "0 alerts"));
  assert.equal(Number(await figure(page, "Needs attention")), bad.length);

  // The list pages: every run stands on one of its pages, once, in the order of the API.
  const seen = [];
  await page.goto("/runs");
  for (;;) {
    seen.push(...(await page.locator("tbody th a").evaluateAll((all) => all.map((own) => own.getAttribute("href").split("/")[2]))));
    const next = page.getByRole("link", { name: "Next page" });
    if ((await next.count()) === 0) break;
    const address = new URL(await next.getAttribute("href"), page.url()).href;
    await page.evaluate(() => { window.was = true; });
    await next.click();
    await page.waitForURL(address);
    // With a script the next page takes the place of this one: it is not loaded again, and the way back is.
    assert.ok(await page.evaluate(() => window.was), "the page was loaded again");
  }
  const last = await page.locator("tbody th a").first().getAttribute("href");
  await page.goBack();
  await page.locator("tbody th a").first().and(page.locator(`:not([href="${last}"])`)).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 50);
  assert.deepEqual(seen, runs.map((run) => run.id));

  // Filters, by the keyboard alone.
  await page.goto("/runs");
  await page.getByLabel("Verdict").focus();
  await page.keyboard.type(of_audit[0].verdict);
  await page.keyboard.press("Enter");
  await page.waitForURL(/verdict=/);
  const same = runs.filter((run) => run.verdict === of_audit[0].verdict);
  assert.equal(await page.locator("tbody tr").count(), Math.min(same.length, 50));
  await page.goto("/runs");
  await page.getByLabel("Needs attention").check();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/attention=1/);
  assert.equal(await page.locator("tbody tr").count(), Math.min(bad.length, 50));
  await page.goto(`/runs?text=${of_audit[3].id}`);
  assert.deepEqual(await page.locator("tbody th a").evaluateAll((all) => all.map((own) => own.getAttribute("href"))), [`/runs/${of_audit[3].id}`]);

  // What cannot be searched for is told of, and stays in the form.
  await page.goto("/runs?since=yesterday&text=x");
  assert.match(await page.locator("#trouble").innerText(), /yesterday/);
  assert.equal(await page.getByLabel("Id, input or task").inputValue(), "x");

  // The search box finds a run by its id.
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Run or task id" }).fill(of_audit[0].id);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/runs/${of_audit[0].id}`);
  await page.leave();
}
