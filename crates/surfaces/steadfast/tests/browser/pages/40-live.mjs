// Trajectories that go on: steps are posted while somebody looks, and are seen without a reload; without a script a link shows them.

import assert from "node:assert/strict";

import { api, base, figure, hostile, numbered } from "../lib.mjs";

export const name = "live trajectories";

const three = (value) => value.toFixed(3);

/** Posts steps as an agent does, and gives what is answered. */
async function post(id, steps) {
  const answer = await fetch(`${base}/api/trajectories/${encodeURIComponent(id)}/steps`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(steps),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

const said = (prompt, output, more = {}) => ({ prompt, output, ...more });

async function followed(visitor) {
  const id = "weekly notes/ü";
  await post(id, [
    said("Summarise the meeting notes", "The meeting was about the budget of the estate.", { initial_intent: "Summarise the meeting notes about the budget", agent: "writer" }),
    said("Go on", "The budget of the estate is 24,000 euros, the meeting notes say.", { agent: "writer" }),
  ]);
  await visitor.inspect("/", "overview-followed");
  const page = await visitor.page();
  await page.goto("/");
  await page.locator("#followed").getByRole("link", { name: id }).click();
  await page.getByText("Following.").waitFor();
  await page.goto("/watch/live");
  await page.getByRole("link", { name: id }).click();
  await page.getByText("Following.").waitFor();
  assert.equal(await figure(page, "Steps"), "2");
  assert.equal(await page.locator("li.step").count(), 2);
  const first = page.locator("details.said-text").last();
  await first.locator("summary").click();

  // A step that is posted is seen, with the score that its agent was told; what was open stays open.
  const taken = await post(id, said("Go on", "Sharks swim in warm oceans and eat fish.", { agent: "writer" }));
  const own = taken.steps[0].scores;
  await page.locator(`#step-${own.step}`).waitFor();
  assert.ok((await page.locator(`#step-${own.step}`).innerText()).includes(three(own.ids)));
  assert.equal(await figure(page, "Steps"), "3");
  assert.equal(await page.locator("details.said-text[open]").count(), 1);
  assert.equal(await page.locator("#live svg.chart").count(), 1);

  // What is paused stays as it is while another window goes on, and goes on where it was left.
  const beside = await visitor.page();
  await beside.goto(page.url());
  await beside.getByText("Following.").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await post(id, said("Go on", "The notes end with the date of the next meeting.", { agent: "writer" }));
  await beside.locator("#step-3").waitFor();
  await beside.leave();
  assert.equal(await figure(page, "Steps"), "3");
  await page.getByRole("button", { name: "Follow" }).click();
  await page.locator("#step-3").waitFor();

  // Without a script the link shows what is new.
  const still = await visitor.page({ script: false });
  await still.goto(page.url());
  assert.equal(await still.locator("li.step").count(), 4);
  await post(id, said("Go on", "The next meeting is on 6 June.", { agent: "writer" }));
  await still.getByRole("link", { name: "Refresh" }).click();
  await still.locator("#step-4").waitFor();
  await still.leave();

  const json = await api(await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href"));
  assert.equal(await figure(page, "Mean IDS"), three((await api(`/api/trajectories/${encodeURIComponent(id)}`)).trajectory.mean_ids));
  assert.equal(json.steps.length, 5);
  await numbered(page, [json, await api(`/api/trajectories/${encodeURIComponent(id)}/watch`)]);
  const address = new URL(page.url()).pathname;
  await page.leave();
  await visitor.inspect(address, "live");
}

/** Two agents, more steps than a page holds, and text that wants to run. */
async function long(visitor) {
  const texts = hostile(120);
  await post("many", texts.map((text, at) => said(text, text, { step: at, agent: at % 3 === 2 ? texts[1] : "one", initial_intent: texts[0] })));
  const page = await visitor.page();
  await page.goto("/watch/live/many");
  assert.equal(await page.locator("li.step").count(), 20);
  assert.equal(await page.locator("#live svg.chart").count(), 2);
  await page.getByRole("link", { name: "Earlier" }).click();
  await page.waitForURL(/from=50/);
  assert.equal(await page.locator("li.step").count(), 50);
  assert.equal(await page.locator("#live-state").count(), 0);
  assert.equal(await page.evaluate(() => window.ran ?? Object.prototype.polluted), undefined);
  await page.leave();
  await visitor.inspect("/watch/live/many", "live-many");
}

/** Where nothing is followed yet the page says what to do, by a command that can be run as it stands. */
async function begun(visitor) {
  await visitor.inspect("/watch/live", "live-empty");
  const page = await visitor.page();
  await page.goto("/watch/live");
  const command = await page.locator("#post-steps code").innerText();
  const [, address, body] = command.match(/^curl (\S+) --json '(.*)'$/);
  assert.ok(address.startsWith(`${base}/api/trajectories/`), command);
  const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
  assert.equal(answer.status, 200, await answer.text());
  await page.reload();
  await page.getByRole("link", { name: "my-task" }).click();
  await page.locator("#step-0").waitFor();
  await page.leave();
}

export async function go(visitor) {
  await begun(visitor);
  await followed(visitor);
  await long(visitor);
  await visitor.inspect("/watch/live", "live-list");
  await visitor.inspect("/watch/live?search=nothing-has-this", "live-none");
  const page = await visitor.page();
  assert.equal((await page.goto("/watch/live/not-there")).status(), 404);
  await page.leave();
}
