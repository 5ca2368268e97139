// Text that wants to run, in every field that is typed in, posted or asked for: it is shown as text, on every page that shows it.

import assert from "node:assert/strict";

import { base, calm, calm_text, hostile } from "../lib.mjs";

export const name = "hostile text in every field";

const TEXTS = hostile(500);
const ALL = TEXTS.join("\n");
/** One of each shape, for what holds one value at a time. */
const SHAPES = TEXTS.slice(0, 25);
/** The marks by which the texts are known on a page. */
const MARK = /h\d+|ran=\d+|"polluted":\d+|evil\.example\/\d+/g;

/** Fills a form in, sends it, and gives the page that it leads to. */
async function sent(visitor, form, button, fields) {
  const page = await visitor.page();
  await page.goto(form);
  for (const [id, value] of Object.entries(fields)) {
    const field = page.locator(`#${id}`);
    if ((await field.evaluate((own) => own.tagName)) === "SELECT") await field.selectOption(value);
    else await field.evaluate((own, text) => { own.value = text; own.removeAttribute("maxlength"); }, value);
  }
  await Promise.all([page.waitForNavigation(), page.getByRole("button", { name: button, exact: true }).click()]);
  await page.locator("h1").waitFor();
  await calm(page, `${form}: ${button}`);
  return page;
}

/** So many different ones of the texts are read on a page. */
async function read(page, fewest) {
  const text = await page.locator("main").textContent();
  const found = new Set(text.match(MARK));
  assert.ok(found.size >= fewest, `${page.url()}: ${found.size} of the texts are shown, not ${fewest}`);
}

async function instruments(visitor) {
  const step = (text, at, more) => ({ task_id: text, agent: TEXTS[at % 500], step: at, prompt: text, output: text, initial_intent: text, ...more });
  const log = (steps) => steps.map((own) => JSON.stringify(own)).join("\n");
  // One trajectory of 500 steps, and 500 trajectories.
  const one = await sent(visitor, "/watch", "Score the steps", { log: log(TEXTS.map((text, at) => step(text, at, { task_id: TEXTS[0], agent: TEXTS[1], initial_intent: TEXTS[3] }))), embedder: "lexical" });
  await read(one, 45);
  const next = one.getByRole("link", { name: "Next", exact: true }).first();
  await next.click();
  await one.waitForURL(/from=50/);
  await calm(one, "the next steps");
  await read(one, 45);
  const many = await sent(visitor, "/watch", "Score the steps", { log: log(TEXTS.map((text, at) => step(text, at))), embedder: "lexical" });
  await read(many, 90);
  await many.locator("#trajectories tbody th a").nth(1).click();
  await many.waitForURL(/trajectory=/);
  await calm(many, "a trajectory");
  const arm = (shift) => log(TEXTS.slice(0, 100).flatMap((text, at) => [0, 1, 2].map((number) => step(TEXTS[at], at, { agent: undefined, step: number, output: TEXTS[(at + number * shift) % 500] }))));
  const compared = await sent(visitor, "/watch/compare", "Compare", { log: arm(1), other: arm(3), embedder: "lexical" });
  await read(compared, 80);

  const notes = TEXTS.map((text, at) => `- ${text}${at < 25 ? ` at ${9 + (at % 8)}:00 (10 min)` : ""}`).join("\n");
  const day = { current_time: "2026-02-18T08:30", timezone: "UTC" };
  const planned = await sent(visitor, "/plan", "Make the plan", { context: notes, ...day });
  await read(planned, 25);
  const items = TEXTS.map((text, at) => ({ task: text, why: text, timebox_minutes: 5, start: at % 2 ? text : undefined, end: at % 2 ? text : undefined, with: [text], place: text, constraint_ids: [text] }));
  const checked = await sent(visitor, "/plan/check", "Check the plan", { context: notes, plan: JSON.stringify(items), ...day });
  await read(checked, 100);
  await (await sent(visitor, "/plan/compare", "Plan in all variants", { context: notes, ...day })).leave();

  const output = `<npl-block type="check-in" task-id="${TEXTS[0].replaceAll('"', "'")}">\nstatus: ${TEXTS[1]}\n${TEXTS.map((text) => `✅ ${text}`).join("\n")}\n</npl-block>\n`
    + `<npl-block type="reflection">\n${TEXTS.map((text) => `🐛 ${text}`).join("\n")}\n</npl-block>\n${ALL}`;
  const reviewed = await sent(visitor, "/review", "Review the output", { output, criteria: ALL });
  await read(reviewed, 450);
  await reviewed.getByRole("link", { name: "Task", exact: true }).click();
  await reviewed.locator("h1").waitFor();
  await reviewed.getByLabel("bad", { exact: true }).check();
  await reviewed.getByLabel("Tags").fill(SHAPES.slice(0, 6).map((text) => text.replaceAll(",", ".").slice(0, 60)).join(","));
  await reviewed.getByRole("button", { name: "Keep" }).click();
  await reviewed.waitForURL(/flagged=1|flag$/);
  await calm(reviewed, "a task");

  const record = (text, at) => ({ prompt_id: text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ""), title: text, description: text, prompt_text: text, intent: text, task_type: text, domain: text, expected_input: text, expected_output: text, status: text, parent_prompt: TEXTS[(at + 1) % 500], original_link: "javascript:window.ran=1", notes: text, tags: [text.slice(0, 30)], models_tested: [text] });
  const imported = await sent(visitor, "/vault/import", "Import", { source: TEXTS[1], text: TEXTS.map((text, at) => JSON.stringify(record(text, at))).join("\n") });
  await imported.getByText("What came of it").waitFor();
  const picked = await sent(visitor, "/pick", "Pick prompts", { task: ALL });
  await read(picked, 20);
  for (const page of [one, many, compared, planned, checked, reviewed, imported, picked]) await page.leave();
}

/** Steps that agents post, with every name that they have. */
async function posted(visitor) {
  const steps = TEXTS.map((text, step) => ({ step, prompt: text, output: text, agent: SHAPES[step % 5].replace(/[\u0000-\u001f\u007f-\u009f]/g, ""), initial_intent: TEXTS[0], parent: "a parent" }));
  const id = TEXTS[1];
  const answer = await fetch(`${base}/api/trajectories/${encodeURIComponent(id)}/steps`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(steps) });
  assert.equal(answer.status, 200, await answer.text());
  const page = await visitor.page();
  for (const address of ["/watch/live", `/watch/live/${encodeURIComponent(id)}`, `/watch/live/${encodeURIComponent(id)}?from=250`]) {
    await page.goto(address);
    await calm(page, address);
  }
  await read(page, 45);
  await page.leave();
}

/** What stands in addresses, and forms that are refused: what was typed comes back as text. */
async function typed(visitor) {
  const page = await visitor.page();
  await page.goto("/help");
  const chunks = Array.from({ length: 20 }, (_, at) => encodeURIComponent(TEXTS.slice(at * 25, at * 25 + 25).join(" ").slice(0, 2_000)));
  const fields = ["/runs?verb=", "/runs?verdict=", "/runs?since=", "/runs?text=", "/runs?cursor=", "/search?q=", "/vault?q=", "/vault?stage=", "/vault?filter=", "/vault?cursor=", "/tasks?cursor=",
    "/watch/live?search=", "/watch/live?cursor=", "/watch/live/", "/pick?task=", "/sign-in?to=", "/watch/compare?b=x&a=", "/plan/compare?runs=", "/plan?from=", "/summary?timezone=", "/summary?weeks=", "/runs/", "/tasks/", "/vault/prompts/", "/nothing/"];
  for (const field of fields) await calm_text(page, chunks.map((text) => field + text));
  const long = encodeURIComponent(ALL.slice(0, 6_000));
  for (const field of fields) {
    await page.goto(field + long);
    await calm(page, field);
  }
  const forms = {
    "/plan": ["context", "current_time", "timezone", "variant", "preferences"],
    "/plan/check": ["context", "current_time", "timezone", "plan"],
    "/plan/compare": ["context", "current_time", "timezone"],
    "/watch": ["log", "embedder", "aggregate", "alert"],
    "/watch/compare": ["log", "other", "embedder", "aggregate"],
    "/review": ["output", "criteria", "threshold", "profile"],
    "/pick": ["task", "at", "point", "stage", "filter"],
    "/vault/import": ["source", "form", "text"],
    "/sign-in": ["key", "to"],
  };
  for (const [form, names] of Object.entries(forms)) {
    for (const field of names) {
      const values = names.map((name) => [name, name === field ? ALL : "x"]);
      await calm_text(page, [form], { method: "POST", body: new URLSearchParams(values).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
    }
  }
  await page.leave();
}

export async function go(visitor) {
  await instruments(visitor);
  await posted(visitor);
  await typed(visitor);
  const page = await visitor.page();
  const prompt = encodeURIComponent(TEXTS[1]);
  for (const address of ["/", "/runs", "/vault", `/vault/prompts/${prompt}`, "/vault?q=window", "/vault/queue", "/tasks", "/compare", "/settings", "/watch/live"]) {
    await page.goto(address);
    await calm(page, address);
  }
  await page.leave();
  await visitor.inspect("/vault", "vault-hostile");
  await visitor.inspect(`/vault/prompts/${prompt}`, "vault-prompt-hostile");
  await visitor.inspect("/watch/live", "live-list-hostile");
}
