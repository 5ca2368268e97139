// A day as it goes on: calendars chosen and dropped beside the notes, the plan as files, the rest planned again; a prompt alone; the weeks summed up.

import assert from "node:assert/strict";

import { accessible, api, base, calm, hostile, numbered, run_of } from "../lib.mjs";

export const name = "a day as it goes on, a prompt alone, weeks";

const NOTES = "- write the report, 60 min\n- call Ana, 30 min\n- review the budget, 45 min\n";
const calendar = (title) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:${title}\r\nDTSTART:20260218T100000Z\r\nDTEND:20260218T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const file = (name, text) => ({ name, mimeType: "text/calendar", buffer: Buffer.from(text) });
const event = (plan, title) => plan.validation.constraints.find((own) => own.text === title)?.span.file;
const words = async (page) => (await page.locator("main").innerText()).replace(/\s+/g, " ");

async function filled(page) {
  await page.goto("/plan");
  await page.getByLabel("Notes", { exact: true }).fill(NOTES);
  await page.getByLabel("Current time").fill("2026-02-18T08:30");
  await page.getByLabel("Time zone").fill("Europe/Amsterdam");
}

/** Drops a file on what a selector finds. */
async function dropped(page, selector, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const all = new DataTransfer();
    all.items.add(new File([text], name));
    return all;
  }, [name, text]);
  await page.locator(selector).dispatchEvent("drop", { dataTransfer: data });
}

async function day(visitor) {
  const page = await visitor.page();
  await filled(page);
  const chooser = page.getByLabel("Calendars beside the notes");
  await chooser.setInputFiles([file("team.ics", calendar("Board call"))]);
  // A calendar that is dropped on the notes is chosen beside the other one; notes that are dropped fill them in.
  await dropped(page, "#context", "own.ics", calendar("Dentist"));
  await dropped(page, "#context", "notes.md", NOTES);
  assert.deepEqual(await chooser.evaluate((own) => [...own.files].map((file) => file.name)), ["team.ics", "own.ics"]);
  assert.equal(await page.getByLabel("Notes", { exact: true }).inputValue(), NOTES);
  await page.getByRole("button", { name: "Make the plan" }).click();
  await page.waitForURL("**/runs/*");
  const id = run_of(page);
  const first = await api(`/api/runs/${id}/result`);
  assert.deepEqual(["Board call", "Dentist"].map((title) => event(first, title)), ["team.ics", "own.ics"]);

  // Files of it, as the API gives them.
  for (const [form, start] of [["ics", "BEGIN:VCALENDAR"], ["tasks", "- [ ] "]]) {
    const link = page.locator(`a[download][href$="format=${form}"]`);
    const answer = await fetch(new URL(await link.getAttribute("href"), base));
    assert.ok((await answer.text()).startsWith(start), form);
  }
  await visitor.inspect(`/plan?from=${id}`, "plan-again-form");

  // The rest of the day: what is ticked is done, the calendars hold on.
  await page.getByRole("link", { name: "Plan again from here" }).click();
  await page.waitForURL(/from=/);
  assert.equal(await page.getByLabel("Notes", { exact: true }).inputValue(), NOTES);
  assert.match(await words(page), /those of the earlier plan are taken: team\.ics, own\.ics\./);
  await page.getByLabel("Current time").fill("2026-02-18T09:15");
  const last = first.plan.at(-1);
  await page.getByRole("checkbox").last().check();
  await page.getByRole("button", { name: "Plan the rest" }).click();
  await page.waitForURL("**/runs/*");
  const second = await api(`/api/runs/${run_of(page)}/result`);
  assert.equal(event(second, "Board call"), "team.ics");
  assert.deepEqual(second.moved.filter((own) => own.why === "said to be done").map((own) => own.task), [last.task]);
  assert.match(await words(page), /What became of the earlier plan/);
  await visitor.inspect(new URL(page.url()).pathname, "plan-again-result");

  // What is no calendar is told of, what was typed stays, and nothing of it acts.
  await filled(page);
  await page.getByLabel("Calendars beside the notes").setInputFiles([file(`${hostile(2)[1].replaceAll("/", "")}.ics`, hostile(3)[2])]);
  await page.getByRole("button", { name: "Make the plan" }).click();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /is no line of a calendar/);
  assert.equal(await page.getByLabel("Notes", { exact: true }).inputValue(), NOTES);
  await calm(page, "a calendar that is none");
  await accessible(page, "the form of a plan with a problem");
  const titles = hostile(60).map((own) => own.replaceAll(/[\r\n;,\\]/g, " "));
  await page.getByLabel("Calendars beside the notes").setInputFiles(titles.slice(0, 40).map((own, at) => file(`h${at}.ics`, calendar(own))));
  await page.getByRole("button", { name: "Make the plan" }).click();
  await page.waitForURL("**/runs/*");
  await calm(page, "events with hostile names");
  await page.leave();

  // Without a script a form with files is sent as well.
  const still = await visitor.page({ script: false });
  await filled(still);
  await still.getByLabel("Calendars beside the notes").setInputFiles([file("team.ics", calendar("Board call"))]);
  await still.getByRole("button", { name: "Make the plan" }).click();
  await still.waitForURL("**/runs/*");
  assert.match(await words(still), /Board call/);
  await still.leave();
}

async function alone(visitor) {
  const prompt = "Plan a seed library. It must open as soon as possible. The shelves must be user-friendly.\n";
  const answer = await fetch(`${base}/api/audit/lint`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ prompt }) });
  const lint = await answer.json();
  const page = await visitor.page();
  await page.goto("/audit");
  await page.getByLabel("Prompt").fill(prompt);
  await page.getByRole("button", { name: "Audit the report" }).click();
  await page.getByRole("heading", { level: 1, name: "A prompt by itself" }).waitFor();
  const seen = await words(page);
  for (const own of lint.vague) assert.ok(seen.includes(`“${own.word}” leaves open`), own.word);
  for (const own of lint.obligations) assert.ok(seen.includes(own.span.quote), own.id);
  await numbered(page, lint, [lint.obligations.filter((own) => own.checkable_by.length > 0).length]);
  await accessible(page, "a prompt by itself");
  await page.goto("/audit");
  await page.getByLabel("Prompt").fill(hostile(60).map((own) => `It must be ${own.replaceAll("\n", " ")} soon.`).join("\n"));
  await page.getByRole("button", { name: "Audit the report" }).click();
  await page.getByRole("heading", { level: 1, name: "A prompt by itself" }).waitFor();
  await calm(page, "a hostile prompt by itself");
  await page.leave();
}

async function weeks(visitor) {
  const page = await visitor.page();
  await page.goto("/");
  await page.getByRole("link", { name: "Week by week" }).click();
  await page.waitForURL("**/summary");
  await page.getByLabel("Weeks", { exact: true }).fill("2");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/weeks=2/);
  await page.locator("h2").nth(1).waitFor();
  const json = await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href");
  const said = await api(json);
  assert.deepEqual([said.timezone, said.weeks.length], ["Europe/Berlin", 2]);
  await numbered(page, said);
  await visitor.inspect(new URL(page.url()).pathname + new URL(page.url()).search, "summary");
  await page.leave();
}

export async function go(visitor) {
  await day(visitor);
  await alone(visitor);
  await weeks(visitor);
}
