// Two audits held against each other: from an audit's page through the form to the page, its numbers, the other way round, and hostile text.

import assert from "node:assert/strict";

import { api, base, calm, hostile, numbered } from "../lib.mjs";

export const name = "two audits compared";

const PROMPT = "Plan a seed library for the allotments. It must open within 3 months. The budget is 500 EUR. Do not use a public cloud.\n";

export async function go(visitor) {
  const kept = await audited("# Seed library\n\nThe seed library opens within 3 months. It costs 500 EUR.\n");
  const broken = await audited("# Seed library\n\nThe seed library opens within 9 months. It costs 900 EUR.\n");
  await visitor.inspect("/audit/compare", "audit-compare-form");

  // From the audit to the comparison, as a person would.
  const page = await visitor.page();
  await page.goto(`/runs/${kept}`);
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByLabel("A, what was before").selectOption(kept);
  await page.getByLabel("B, what is now").selectOption(broken);
  await page.getByRole("button", { name: "Compare" }).click();
  const address = `/audit/compare?a=${kept}&b=${broken}`;
  await page.waitForURL(`**${address}`);
  const said = await api(`/api/audit/compare?a=${kept}&b=${broken}`);
  const { newly_broken: fallen, newly_unmentioned: silent } = said.counts.obligations;
  assert.ok(fallen > 0, JSON.stringify(said.counts));
  await numbered(page, said, [5, 10]);
  const json = await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href");
  assert.deepEqual(await api(json), said);
  await visitor.inspect(address, "audit-compare");
  await page.goto(address);
  await page.getByRole("link", { name: "The other way round" }).click();
  await page.waitForURL(`**/audit/compare?a=${broken}&b=${kept}`);
  assert.equal((await api(`/api/audit/compare?a=${broken}&b=${kept}`)).counts.obligations.repaired, fallen + silent);

  // What stands in prompts and reports is shown and does nothing.
  const texts = hostile(60).map((own, at) => `Report ${at + 3} months ${own.replaceAll("\n", " ")}.`).join("\n\n");
  const odd = await audited(`# Seed library\n\nIt opens within 9 months. It costs 500 EUR.\n\n${texts}\n`, `${PROMPT}\n${texts}\n`);
  await page.goto(`/audit/compare?a=${kept}&b=${odd}`);
  await calm(page, "a comparison of hostile text");
  await page.goto("/audit/compare");
  await calm(page, "the form with hostile names");
  await page.leave();
}

/** Audits a report and says what the run is called. */
async function audited(report, prompt = PROMPT) {
  const answer = await fetch(`${base}/api/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt, report }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()).run.id;
}
