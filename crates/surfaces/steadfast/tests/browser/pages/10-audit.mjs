// Audits: from the form to the run's page, an incident in place, a decision, downloads.

import assert from "node:assert/strict";
import zlib from "node:zlib";

import { accessible, api, base, calm, figure, hostile, numbered, run_of } from "../lib.mjs";

export const name = "audit";

export async function go(visitor) {
  await visitor.inspect("/audit", "audit-form");
  const page = await visitor.page();

  // No prompt: the page says so, and what was typed stays.
  await page.goto("/audit");
  await page.getByLabel("Report").fill("Only a report.\nNothing else.");
  await page.getByRole("button", { name: "Audit the report" }).click();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /there is no prompt/);
  assert.equal(await page.getByLabel("Report").inputValue(), "Only a report.\nNothing else.");
  await accessible(page, "the form with a problem");

  // The example, without a mouse.
  await page.goto("/audit?example=1");
  const button = page.getByRole("button", { name: "Audit the report" });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/runs/*");
  const id = run_of(page);
  const result = await api(`/api/runs/${id}/result`);
  await numbers(page, result);

  const { run } = await api(`/api/runs/${id}`);
  await numbered(page, [result, run], [5]);
  await page.reload();

  // The JSON link leads to what the API says.
  const json = await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href");
  assert.deepEqual(await api(json), result);

  // The page's address can be kept: the page is the same when it is asked for again.
  await visitor.inspect(`/runs/${id}`, "audit-result");

  // Filters: each choice shows as many incidents as it says.
  for (const filter of ["Severity", "Type", "Check", "Voice", "File"]) {
    await page.goto(`/runs/${id}`);
    const select = page.getByLabel(filter, { exact: true });
    const option = select.locator("option").nth(1);
    const count = Number((await option.innerText()).match(/\((\d+)\)$/)[1]);
    await page.evaluate(() => { window.was = true; });
    await select.selectOption({ index: 1 });
    await page.waitForURL(/\?/);
    assert.ok(await page.evaluate(() => window.was), "the page was loaded again");
    assert.equal(await page.locator(".card").count(), Math.min(count, 50), filter);
  }
  // The same without a script, by the button.
  const still = await visitor.page({ script: false });
  await still.goto(`/runs/${id}`);
  await still.getByLabel("Severity", { exact: true }).selectOption({ index: 1 });
  await still.getByRole("button", { name: "Filter" }).click();
  await still.waitForURL(/severity=/);
  assert.ok((await still.locator(".card").count()) > 0);
  await still.leave();

  // Obligations by what became of them.
  const state = (own) => (own.status === "unmentioned" && own.assessed ? "missing" : own.status);
  for (const [label, status] of [["Broken", "broken"], ["Missing", "missing"], ["Unclear", "unclear"], ["Not mentioned", "unmentioned"], ["Kept", "kept"]]) {
    const own = result.obligations.filter((obligation) => state(obligation) === status);
    await page.goto(`/runs/${id}`);
    await page.getByRole("navigation", { name: /Obligations/ }).getByRole("link", { name: new RegExp(`^${label}`) }).click();
    await page.waitForURL(new RegExp(`status=${status}`));
    assert.equal(await page.locator("#obligations tbody tr").count(), own.length, label);
  }

  // An incident in place: both quotes are marked and can be seen.
  await page.goto(`/runs/${id}`);
  const incident = [...result.drift_incidents].sort((a, b) => b.severity - a.severity)[0];
  await page.locator(".card").first().getByRole("link", { name: "Show in place" }).click();
  await page.waitForURL(/incident=/);
  assert.equal(new URL(page.url()).searchParams.get("incident"), incident.id);
  const squeezed = (text) => text.replace(/\s+/g, " ").trim();
  for (const [anchor, quote] of [["in-prompt", incident.source_span?.quote], ["in-report", incident.output_span?.quote]]) {
    if (!quote) continue;
    const mark = page.locator(`#${anchor}`);
    assert.equal(squeezed(await mark.innerText()), squeezed(quote));
    assert.ok(await mark.evaluate((own) => {
      const [box, mark] = [own.closest("pre").getBoundingClientRect(), own.getBoundingClientRect()];
      return mark.top >= box.top - 1 && mark.bottom <= box.bottom + 1;
    }), `${anchor} is not scrolled to`);
  }
  await visitor.inspect(new URL(page.url()).pathname + new URL(page.url()).search, "audit-incident");

  // A decision needs a reason; it stands on the incident afterwards, and can be taken back.
  await page.getByText("Accept or contest").click();
  await page.getByRole("button", { name: "Contest the finding" }).click();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /a decision needs a reason/);
  const reason = `The estate agreed to it. ${hostile(2)[1]}`;
  await page.goto(`/runs/${id}?incident=${encodeURIComponent(incident.id)}`);
  await page.getByText("Accept or contest").click();
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("button", { name: "Contest the finding" }).click();
  await page.waitForURL(/incident=/);
  await page.locator(".decided").waitFor();
  assert.match(await page.locator(".decided").innerText(), /contested/);
  assert.ok((await page.locator(".decided").innerText()).includes(reason));
  await page.getByText("Decide otherwise").click();
  await page.getByRole("button", { name: "Take the decision back" }).click();
  await page.getByText("Accept or contest").waitFor();

  // Downloads are the reports that the command writes.
  await page.goto(`/runs/${id}`);
  for (const [form, start] of [["html", "<!DOCTYPE html>"], ["md", "# "], ["sarif", "{"], ["junit", "<?xml"]]) {
    const link = page.locator(`a[download^="drift-evaluation."][href$="format=${form}"]`);
    const answer = await fetch(new URL(await link.getAttribute("href"), base));
    assert.ok((await answer.text()).startsWith(start), form);
  }

  await judge(visitor, id);
  await archive(visitor);
  await evil(visitor);

  // Deleting asks first.
  await page.goto(`/runs/${id}`);
  await page.getByRole("link", { name: "Delete" }).click();
  await visitor.inspect(`/runs/${id}/delete`, "run-delete");
  await page.getByRole("button", { name: "Delete this run" }).click();
  await page.waitForURL("**/runs?deleted=1");
  assert.equal((await fetch(`${base}/api/runs/${id}`)).status, 404);
  await page.leave();
}

/** A person decides what rules leave open, with a script and without one. */
async function judge(visitor, id) {
  const open = async (run) => (await api(`/api/runs/${run}/result`)).obligations.filter((own) => !own.assessed);
  const before = await open(id);
  assert.ok(before.length > 1, "the example leaves something open");
  for (const script of [true, false]) {
    const page = await visitor.page({ script });
    await page.goto(`/runs/${id}`);
    const form = page.locator("#judge");
    assert.equal(await form.locator("h2 .count").innerText(), String(before.length));
    const first = form.locator("fieldset").first();
    const [wanted] = before;
    // What must be done and is nowhere done breaks it; of a ban no words say that nothing breaks it.
    await first.getByText("No words of the report").click();
    const relation = wanted.polarity === "not" ? "keeps" : "breaks";
    const button = first.locator(".verdicts label", { hasText: relation }).locator("input");
    await button.check({ force: true });
    await page.getByLabel("Your name").fill(`Ann ${hostile(3)[2]}`.slice(0, 80));
    await page.getByRole("button", { name: "Decide" }).click();
    await page.waitForURL(/judged=1/);
    const run = run_of(page);
    assert.notEqual(run, id);
    const result = await api(`/api/runs/${run}/result`);
    assert.equal(result.proposals.length, 1);
    assert.equal(result.proposals[0].by, "person");
    const own = result.obligations.find((obligation) => obligation.id === wanted.id);
    if (result.set_aside.length === 0) {
      assert.equal(own.origin, "person");
      assert.equal((await open(run)).length, before.length - 1);
    }
    if (script) await accessible(page, "what a person decided");
    await page.leave();
  }
  // Nobody signs: what was chosen stays.
  const page = await visitor.page({ script: false });
  await page.goto(`/runs/${id}`);
  await page.locator("#judge .verdicts input").nth(2).check({ force: true });
  await page.getByLabel("Your name").fill(" ");
  await page.getByRole("button", { name: "Decide" }).click();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /nobody signs/);
  assert.ok(await page.locator("#judge .verdicts input").nth(2).isChecked());
  await page.leave();
  await visitor.inspect(`/runs/${id}#judge`, "audit-judge");
}

/** Every number of the page is that of the API. */
async function numbers(page, result) {
  assert.equal(await figure(page, "Fidelity score"), result.overall_fidelity_score.toFixed(2));
  assert.equal(await figure(page, "Drift risk"), result.overall_drift_risk);
  assert.equal(await figure(page, "Usable as is"), result.usable_as_is ? "yes" : "no");
  assert.equal(await figure(page, "Incidents"), String(result.totals.incidents));
  const counts = await page.locator(".figure.counts b").allInnerTexts();
  assert.deepEqual(counts.map(Number), [
    result.critical_drift_count, result.unsupported_claim_count, result.constraint_violation_count, result.confidence_inflation_count,
  ]);
  assert.equal(await page.locator(".card").count(), Math.min(result.drift_incidents.length, 50));
  const tabs = await page.getByRole("navigation", { name: /Obligations/ }).locator(".count").allInnerTexts();
  const by = (name) => result.obligations.filter((own) => (own.status === "unmentioned" && own.assessed ? "missing" : own.status) === name).length;
  const names = ["broken", "weakened", "missing", "unclear", "nothing_found", "unmentioned", "not_assessed", "kept"];
  assert.deepEqual(tabs.map(Number), [result.obligations.length, ...names.map(by)]);
  assert.equal(await figure(page, "Assessed"), `${result.assessed.n} of ${result.assessed.of}`);
  await page.locator("#dimensions summary").click();
  const scores = await page.locator("#dimensions tbody td:nth-child(2)").allInnerTexts();
  const expected = Object.entries(result.dimension_scores).map(([name, score]) => (result.unassessed_dimensions.includes(name) ? "n/a" : String(score)));
  assert.deepEqual(scores, expected);
  const sources = await page.locator("#sources tbody tr").count();
  assert.equal(sources, result.sources.length);
}

/** Files as a zip archive that stores them as they are. */
function zipped(files) {
  const [parts, entries] = [[], []];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800, 2);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(bytes.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), about, path, bytes);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(at, 12);
    entries.push(Buffer.from("PK\x01\x02\x14\x00"), about, entry.subarray(2), path);
    at += 30 + path.length + bytes.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06"), end]);
}

/** The checksum of a zip archive: gzip writes the same one behind its data. */
const crc32 = (bytes) => zlib.gzipSync(bytes).subarray(-8).readUInt32LE();

/** A run as a zip archive, chosen and dropped; one that is none is told of, and names that want to run do not. */
async function archive(visitor) {
  const page = await visitor.page();
  await page.goto("/audit");
  const choose = (name, buffer) => page.getByLabel("Or a planner’s run").setInputFiles({ name, mimeType: "application/zip", buffer });
  const send = () => page.getByRole("button", { name: "Audit the report" }).click();
  await choose("broken.zip", Buffer.from("PK\x03\x04 no archive"));
  await send();
  await page.locator("#trouble").waitFor();
  assert.match(await page.locator("#trouble").innerText(), /broken\.zip/);

  const files = { "prompt.txt": "Plan a seed library. It must open within 3 months. Budget: 500 EUR.", "report.md": "# Seed library\n\nThe seed library opens within 9 months and costs 900 EUR.\n" };
  await page.goto("/audit");
  await choose("run.zip", zipped(files));
  await send();
  await page.waitForURL("**/runs/*");
  const result = await api(`/api/runs/${run_of(page)}/result`);
  assert.deepEqual(result.sources.map((own) => own.file).sort(), Object.keys(files));
  await numbers(page, result);

  // Dropped anywhere on the form it is chosen all the same.
  await page.goto("/audit");
  const name = `${hostile(2)[1]}.md`.replaceAll("/", "");
  const bytes = [...zipped({ "prompt.txt": files["prompt.txt"], [name]: files["report.md"] })];
  const dropped = await page.evaluateHandle(([bytes]) => {
    const held = new DataTransfer();
    held.items.add(new File([new Uint8Array(bytes)], "<img src=x onerror=window.ran=1>.zip", { type: "application/zip" }));
    return held;
  }, [bytes]);
  await page.getByLabel("Report").dispatchEvent("drop", { dataTransfer: dropped });
  await send();
  await page.waitForURL("**/runs/*");
  await calm(page, "an archive of hostile names");
  assert.ok((await page.locator("main").innerText()).includes('onerror="window.ran=1"'));
  await page.leave();
}

/** Texts that would act if they were not shown as texts. */
async function evil(visitor) {
  const texts = hostile(500);
  const prompt = `# Ask\n\n${texts.slice(0, 250).map((text, n) => `- It must hold ${text} within ${n + 2} months.`).join("\n")}\n`;
  const report = `# Report\n\n${texts.slice(250).map((text, n) => `The ${text} opens within ${n + 90} months and costs ${n + 1} EUR.`).join("\n\n")}\n`;
  const page = await visitor.page();
  await page.goto("/audit");
  await page.getByLabel("Prompt").fill(prompt);
  await page.getByLabel("Report").fill(report);
  await page.getByRole("button", { name: "Audit the report" }).click();
  await page.waitForURL("**/runs/*");
  const id = run_of(page);
  const result = await api(`/api/runs/${id}/result`);
  assert.ok(result.obligations.length > 0 && result.drift_incidents.length > 0, "hostile texts give nothing to show");
  const addresses = [`/runs/${id}`, `/runs/${id}?status=broken`, `/runs/${id}?status=unmentioned`, `/runs/${id}?incident=${encodeURIComponent(result.drift_incidents[0].id)}`,
    `/runs/${id}?check=${encodeURIComponent(texts[1])}&file=${encodeURIComponent(texts[2])}&from=-1`, `/search?q=${encodeURIComponent(texts[4])}`, "/runs", "/"];
  for (const address of addresses) {
    await page.goto(address);
    await calm(page, address);
  }
  await visitor.inspect(`/runs/${id}`, "audit-hostile");
  await page.leave();
}
