// Plan, watch, review, pick, the vault and what is compared: each form with its example, the page that it leads to, and its figures
// against the JSON.

import assert from "node:assert/strict";

import { api, base, numbered, run_of } from "../lib.mjs";

export const name = "plan, watch, review, pick, vault, compare";

/** What an item weighs, by its category (`docs/review.md`). */
const WEIGHTS = { verified: 1, security_addressed: 1, bug_fixed: 0.8, improvement: 0.5, refactor: -0.2, todo: -0.3, clarification: -0.3, pitfall: -0.4, edge_case: -0.5, bug: -0.8, security: -1 };

const three = (value) => value.toFixed(3);

/** The words of a page as they are read. */
const words = async (page) => (await page.locator("main").innerText()).replace(/\s+/g, " ");

/** Fills the example of a form in, sends it, and gives the page that it leads to with the JSON of its run. */
async function sent(visitor, form, button, more = async () => {}) {
  const page = await visitor.page();
  await page.goto(form);
  await page.getByRole("link", { name: "Fill in an example" }).first().click();
  await page.waitForURL(/example=1/);
  await more(page);
  page.given = await page.locator("textarea, input").evaluateAll((all) => all.map((own) => own.value));
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL((url) => url.pathname !== form || url.searchParams.has("runs"));
  return page;
}

async function result(page) {
  const href = await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href");
  return api(href);
}

/** Every number of a result's page is one of its JSON, of its record, or of what was given; and one of `also`, which says what the page adds. */
async function all_numbers(page, also = []) {
  const { run, result } = await api(`/api/runs/${run_of(page)}`);
  await numbered(page, [run, result, page.given], also);
}

async function plan(visitor) {
  const page = await sent(visitor, "/plan", "Make the plan");
  const json = await result(page);
  const seen = await words(page);
  for (const item of json.plan) assert.ok(seen.includes(item.task), item.task);
  await page.locator("#metrics summary").click();
  const metrics = (await page.locator("#metrics table").innerText()).replace(/\s+/g, " ");
  for (const [name, value] of Object.entries(json.validation.metrics)) {
    if (Number.isInteger(value) && name !== "context_coverage_ratio") assert.ok(metrics.includes(`${name} ${value}`), `${name} ${value}: ${metrics}`);
  }
  // Every constraint is marked in the notes, and a mark leads to what was read.
  const stated = json.validation.constraints.filter((own) => own.span !== null);
  assert.equal(await page.locator(".read-list li").count(), stated.length);
  const mark = page.locator("a.read").first();
  await mark.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#read-\d+$/);
  const address = new URL(page.url()).pathname;
  await all_numbers(page);
  await page.leave();
  await visitor.inspect(address, "plan-result");

  const checked = await sent(visitor, "/plan/check", "Check the plan");
  const validation = await result(checked);
  assert.ok((await words(checked)).includes(validation.findings.find((own) => own.hard).message));
  await all_numbers(checked);
  await visitor.inspect(new URL(checked.url()).pathname, "plan-check-result");
  await checked.leave();

  const compared = await sent(visitor, "/plan/compare", "Plan in all variants");
  assert.equal(await compared.locator(".column").count(), 4);
  const plans = await Promise.all(new URL(compared.url()).searchParams.get("runs").split(",").map((id) => api(`/api/runs/${id}`)));
  assert.deepEqual(plans.map((own) => own.result.variant), ["v1", "v2", "v3", "v4"].map((own, at) => plans[at].result.variant));
  await numbered(compared, [plans, compared.given], [1, 2, 3, 4]);
  await visitor.inspect(compared.url(), "plan-compare-result");
  await compared.leave();
}

async function watch(visitor) {
  const page = await sent(visitor, "/watch", "Score the steps");
  const json = await result(page);
  const own = json.trajectories[0];
  const seen = await words(page);
  for (const value of [own.mean_ids, own.max_ids]) assert.ok(seen.includes(three(value)), three(value));
  assert.equal(await page.locator("li.step").count(), Math.min(50, own.steps.length));
  for (const step of own.steps.slice(0, 50)) {
    const row = (await page.locator(`#step-${step.step}`).innerText()).replace(/\s+/g, " ");
    assert.ok(row.includes(step.ids === null ? "n/a" : three(step.ids)), `step ${step.step}: ${row}`);
  }
  // What an agent said is folded, and opens.
  const said = page.locator("details.said-text").last();
  assert.equal(await said.locator("pre").isVisible(), false);
  await said.locator("summary").click();
  assert.ok(await said.locator("pre").isVisible());
  const address = new URL(page.url()).pathname;
  await all_numbers(page);
  await page.leave();
  await visitor.inspect(address, "watch-result");

  const compared = await sent(visitor, "/watch/compare", "Compare");
  const comparison = await result(compared);
  const told = await words(compared);
  for (const pair of comparison.pairs) assert.ok(told.includes(`${three(pair.a_mean_ids)} ${three(pair.b_mean_ids)}`), pair.task_id);
  // What the page adds: the difference of the means, and the mean of each arm by step.
  const steps = ["a", "b"].flatMap((arm) => Array.from({ length: Math.max(...comparison.curves.map((own) => own[arm].length)) }, (_, step) => {
    const scores = comparison.curves.map((own) => own[arm][step]).filter((own) => typeof own === "number");
    return scores.reduce((sum, own) => sum + own, 0) / scores.length;
  }));
  await all_numbers(compared, [Math.abs(comparison.mean_b - comparison.mean_a), ...steps].filter(Number.isFinite).map(three));
  await visitor.inspect(new URL(compared.url()).pathname, "watch-compare-result");
  await compared.leave();
}

async function review(visitor) {
  const page = await sent(visitor, "/review", "Review the output");
  const json = await result(page);
  const seen = await words(page);
  assert.ok(seen.includes(`${json.score.toFixed(2)} of 1`));
  assert.ok(seen.includes(json.score.toFixed(4)), "the score worked out");
  for (const own of json.contradictions) assert.ok(seen.includes(own.message), own.message);
  assert.equal(await page.locator("#criteria tbody tr").count(), json.criteria.length);
  const address = new URL(page.url()).pathname;
  // What the page adds: from where on an output is approved, what each kind of item adds to the score, and by how much a sum is wrong.
  const adds = Object.entries(json.categories).map(([name, count]) => WEIGHTS[name] * count);
  const tenths = [...Object.values(WEIGHTS), ...adds, adds.reduce((sum, own) => sum + own, 0)].map((own) => Math.abs(own).toFixed(1));
  const wrong = json.contradictions.map((own) => Math.abs(own.stated - own.computed));
  await all_numbers(page, ["0.80", ...tenths, ...wrong]);
  await page.goto(address);
  await page.getByRole("link", { name: "Task", exact: true }).click();
  await page.waitForURL("**/tasks/*");
  await task(visitor, new URL(page.url()).pathname);
  await page.leave();
  await visitor.inspect(address, "review-result");
}

/** A task with outputs over time: more than a page of them, each with its score, in full where it is asked for; what is said of it stands there. */
async function task(visitor, address) {
  const id = decodeURIComponent(address.split("/")[2]);
  const report = (at) => `<npl-block type="check-in" task-id="${id}">\n${"✅ Done: a part\n".repeat(at % 7)}🐛 Bug: ${at} of the dates is wrong\n</npl-block>\nThe words of output ${at}.`;
  for (let at = 0; at < 55; at += 1) {
    const answer = await fetch(`${base}/api/review`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ output: report(at) }) });
    assert.equal(answer.status, 200);
  }
  const kept = await api(`/api${address}`);
  assert.equal(kept.messages.length, 56);
  const page = await visitor.page();
  await page.goto(address);
  const seen = [];
  for (;;) {
    for (const row of await page.locator(".outputs > li").all()) {
      const [number, score] = await row.locator(".row > b, .row > span > b").allInnerTexts();
      const recommendation = (await row.locator(".pill").first().innerText()).replaceAll(" ", "_");
      seen.push([Number(number), score, recommendation]);
    }
    const next = page.getByRole("link", { name: "Next page" });
    if ((await next.count()) === 0) break;
    await next.click();
    await page.waitForURL(/from=/);
    await page.locator("h1").waitFor();
  }
  assert.deepEqual(seen, kept.messages.map((own, at) => [at + 1, own.eval_score?.toFixed(2) ?? "none", own.recommendation]).reverse());
  await page.goto(address);
  const newest = page.locator(".outputs > li").first();
  assert.equal(await newest.locator("pre").isVisible(), false);
  await newest.locator("summary").click();
  assert.equal((await newest.locator("pre").innerText()).trim(), kept.messages.at(-1).content.trim());
  assert.match(await page.locator("main desc").first().textContent(), /\d/);

  await page.getByLabel("good", { exact: true }).check();
  await page.getByLabel("Tags").fill("sums, dates");
  await page.getByRole("button", { name: "Keep" }).click();
  await page.waitForURL(/flagged=1/);
  const [flag] = (await api(`/api${address}`)).flags;
  assert.deepEqual([flag.quality, flag.tags], ["good", ["sums", "dates"]]);
  assert.match(await page.locator("main").innerText(), /good sums dates/);
  await numbered(page, [await api(`/api${address}`)]);
  const whole = await fetch(base + (await page.getByRole("link", { name: "Last output in full" }).getAttribute("href")));
  assert.ok((await whole.text()).includes("The words of output 54."));
  assert.equal((await page.goto("/tasks/not-there")).status(), 404);
  await page.leave();
  await visitor.inspect(address, "task");
}

async function pick(visitor) {
  const taken = await sent_in_place(visitor);
  await taken.leave();
  const page = await sent(visitor, "/pick", "Pick prompts");
  const json = await result(page);
  const seen = await words(page);
  assert.ok(seen.includes(three(json.confidence)));
  for (const own of json.selected_prompts) assert.ok(seen.includes(three(own.score)), own.prompt_id);
  assert.equal(await page.locator("#candidates tbody tr").count(), Math.min(100, json.candidates.length));
  const address = new URL(page.url()).pathname;
  if (json.selected_prompts.length > 0) {
    const [first] = json.selected_prompts;
    await page.locator("form.feedback").first().getByRole("button", { name: /^Good/ }).click();
    await page.waitForURL(/said=/);
    const results = await api("/api/vault/results");
    assert.ok(results.points.some((own) => own.good > 0), first.prompt_id);
    await visitor.inspect(`/vault/prompts/${encodeURIComponent(first.prompt_id)}`, "vault-prompt");
  }
  await page.goto(address);
  // What the page adds: by how much a candidate lies below the least that was picked.
  const least = Math.min(...json.selected_prompts.map((own) => own.score));
  await all_numbers(page, json.candidates.map((own) => three(Math.abs(least - own.score))));
  assert.ok((await page.locator("#use pre").innerText()).length > 100, "the chain's text");
  await page.leave();
  await visitor.inspect(address, "pick-result");
}

/** The import says on its own page what came of it. */
async function sent_in_place(visitor) {
  const page = await visitor.page();
  await page.goto("/vault/import");
  await page.getByRole("link", { name: "Fill in an example" }).click();
  await page.waitForURL(/example=1/);
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByText("What came of it").waitFor();
  const status = await api("/api/vault");
  assert.ok(status.prompts >= 6, `${status.prompts} prompts`);
  return page;
}

export async function go(visitor) {
  await visitor.inspect("/pick", "pick-empty");
  await visitor.inspect("/vault", "vault-empty");
  await visitor.inspect("/tasks", "tasks-empty");
  await visitor.inspect("/compare", "compare-empty");
  for (const form of ["/plan", "/plan/check", "/plan/compare", "/watch", "/watch/compare", "/review", "/vault/import"]) {
    await visitor.inspect(`${form}?example=1`, `form${form.replaceAll("/", "-")}`);
  }
  await plan(visitor);
  await watch(visitor);
  await review(visitor);
  await pick(visitor);
  await visitor.inspect("/vault", "vault");
  await visitor.inspect("/vault?q=check", "vault-search");
  await visitor.inspect("/vault/queue", "vault-queue");
  await visitor.inspect("/tasks", "tasks");
  await visitor.inspect("/compare", "compare");
}
