// Servers that are started otherwise: one that keeps nothing, one that answers only to keys, one that names chat models.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { accessible, calm, command, figure, serve } from "../lib.mjs";

export const name = "no store, keys, chat models";
export const alone = true;

/** A server that keeps nothing: its pages say so, and every form is answered in place. */
async function forgetful(visitor) {
  const server = await serve(["--no-store"]);
  try {
    const more = { baseURL: server.url };
    for (const address of ["/", "/summary", "/runs", "/watch/live", "/tasks", "/pick", "/vault", "/vault/queue", "/vault/import", "/compare", "/settings"]) {
      await visitor.inspect(address, `no-store${address.replaceAll("/", "-")}`, more);
    }
    const page = await visitor.page(more);
    for (const address of ["/summary", "/runs", "/watch/live", "/tasks", "/pick", "/vault", "/vault/queue", "/vault/import", "/compare"]) {
      await page.goto(address);
      assert.match(await page.locator("main").innerText(), /keeps nothing/, address);
    }
    const asked = async (form, values) => {
      const answer = await fetch(`${server.url}${form}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values) });
      assert.equal(answer.status, 200, `${form}: ${await answer.clone().text()}`);
      return answer.json();
    };
    const sent = async (form, button) => {
      await page.goto(`${form}?example=1`);
      const values = Object.fromEntries(await page.locator("main :is(textarea, input, select)").evaluateAll((all) => all.map((own) => [own.name, own.value])));
      await Promise.all([page.waitForNavigation(), page.getByRole("button", { name: button, exact: true }).click()]);
      await page.locator(".result").first().waitFor();
      await accessible(page, `${form}, not kept`);
      return [values, (await page.locator("main").innerText()).replace(/\s+/g, " ")];
    };
    const [audit] = await sent("/audit", "Audit the report");
    const evaluation = await asked("/api/audit", { prompt: audit.prompt, report: audit.report });
    assert.equal(evaluation.run, undefined);
    assert.equal(await figure(page, "Fidelity score"), evaluation.overall_fidelity_score.toFixed(2));
    assert.equal(await page.locator(".card").count(), evaluation.drift_incidents.length);
    assert.match(await page.locator("main").innerText(), /leave this page and its result is gone/);
    const [notes, plan] = await sent("/plan", "Make the plan");
    const planned = await asked("/api/plan", { context: notes.context, current_time: `${notes.current_time}:00+01:00`, timezone: notes.timezone });
    for (const item of planned.plan) assert.ok(plan.includes(item.task), item.task);
    const [, check] = await sent("/plan/check", "Check the plan");
    assert.match(check, /fail/);
    await sent("/plan/compare", "Plan in all variants");
    assert.equal(await page.locator(".column").count(), 4);
    const [, watched] = await sent("/watch", "Score the steps");
    assert.match(watched, /Mean IDS 0\.\d{3}/);
    await sent("/watch/compare", "Compare");
    const [given, reviewed] = await sent("/review", "Review the output");
    const review = await asked("/api/review", { output: given.output, acceptance_criteria: given.criteria.split("\n").filter((own) => own.trim()) });
    assert.ok(reviewed.includes(review.score.toFixed(4)));
    assert.equal((await page.goto("/watch/live/x")).status(), 422);
    await page.leave();
  } finally {
    await server.end();
  }
}

/** A server that answers only to keys: nobody sees a page without one, and a session may do what its key may. */
async function locked(visitor) {
  const keys = {};
  const evil = "<img src=x onerror=window.ran=1>";
  const begun = (folder) => {
    for (const scope of ["read", "write", "admin"]) keys[scope] = command(folder, "key", "create", "--name", `${scope} ${evil}`, "--scope", scope, "--store", "s.db");
  };
  const server = await serve(["--store", "s.db", "--require-key"], { begun });
  try {
    const more = { baseURL: server.url };
    await visitor.inspect("/sign-in?to=%2Fplan", "sign-in-needed", more);
    const signed_in = async (key, to) => {
      const page = await visitor.page(more);
      await page.goto(to);
      await page.waitForURL(/\/sign-in\?to=/);
      await page.getByLabel("Key").fill("sfk_of_nobody");
      await page.keyboard.press("Enter");
      await page.locator("#trouble").waitFor();
      assert.match(await page.locator("#trouble").innerText(), /no key that holds/);
      assert.ok(!(await page.content()).includes("sfk_of_nobody"), "a key that was typed in is shown");
      await accessible(page, "a key that does not hold");
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${server.url}${to}`);
      return page;
    };
    const writes = await signed_in(keys.write, "/plan");
    await writes.getByRole("link", { name: "Fill in an example" }).first().click();
    await writes.waitForURL(/example=1/);
    await writes.getByRole("button", { name: "Make the plan" }).click();
    await writes.waitForURL("**/runs/*");
    const run = new URL(writes.url()).pathname;
    await writes.goto("/settings");
    const shown = await writes.locator("main").innerText();
    assert.match(shown, /every request needs a key/);
    for (const scope of Object.keys(keys)) {
      assert.ok(shown.includes(`${scope} ${evil}`), scope);
      assert.ok(!(await writes.content()).includes(keys[scope]), "a key is shown");
    }
    await calm(writes, "names of keys");
    // The keys are those of the command, and one that is revoked ends its session at once.
    const listed = JSON.parse(command(server.folder, "key", "list", "--store", "s.db", "--json")).keys;
    assert.equal(await writes.locator("#keys tbody tr").count(), listed.length);

    const reads = await signed_in(keys.read, "/runs");
    assert.equal(await reads.locator("tbody tr").count(), 1);
    await reads.goto(run);
    assert.equal(await reads.locator("h1").innerText(), await (await writes.goto(run), writes.locator("h1").innerText()));
    await reads.goto("/plan?example=1");
    const [refused] = await Promise.all([reads.waitForNavigation(), reads.getByRole("button", { name: "Make the plan" }).click()]);
    assert.equal(refused.status(), 403);
    assert.match(await reads.locator("main").innerText(), /may read, and this needs `write`/);
    await accessible(reads, "a key that may only read");
    await calm(reads, "a key that may only read");
    assert.equal((await reads.goto(`${run}/delete`)).status(), 200);
    const [kept] = await Promise.all([reads.waitForNavigation(), reads.getByRole("button", { name: "Delete this run" }).click()]);
    assert.equal(kept.status(), 403);
    await reads.goto("/runs");
    assert.equal(await reads.locator("tbody tr").count(), 1);

    const state = await writes.context().storageState();
    for (const [address, called] of [["/", "keys-overview"], ["/settings", "keys-settings"]]) await visitor.inspect(address, called, { ...more, storageState: state });

    // Signing out ends the session, not only its cookie.
    await writes.goto("/settings");
    await writes.getByRole("button", { name: "Sign out" }).click();
    await writes.waitForURL(/\/sign-in/);
    await writes.goto("/runs");
    await writes.waitForURL(/\/sign-in\?to=/);
    const again = await visitor.page({ ...more, storageState: state });
    await again.goto("/runs");
    await again.waitForURL(/\/sign-in\?to=/);
    await again.leave();

    command(server.folder, "key", "revoke", listed.find((own) => own.scope === "read").id, "--store", "s.db");
    await reads.goto("/runs");
    await reads.waitForURL(/\/sign-in\?to=/);
    for (const page of [writes, reads]) await page.leave();
  } finally {
    await server.end();
  }
}

/** The settings say which chat models have which roles, and nothing secret. */
async function roles(visitor) {
  const secret = "sk-nobody-may-see-this";
  const begun = (folder) => fs.writeFileSync(path.join(folder, "steadfast.toml"), `[chat.servers.house]\nkind = "openai"\nurl = "http://127.0.0.1:9/v1/${secret}"\nkey_env = "HOUSE_KEY"\n
[chat.servers."<img src=x onerror=window.ran=1>"]\nkind = "openai"\nurl = "http://127.0.0.1:9/v1"\nkey_env = "NO_SUCH_KEY"\n
[chat.roles]\naudit = "house/small"\n"plan.judge" = "<img src=x onerror=window.ran=1>/large"\n`);
  const server = await serve(["--no-store"], { begun, env: { HOUSE_KEY: secret } });
  try {
    const more = { baseURL: server.url };
    await visitor.inspect("/settings", "settings-chat", more);
    const page = await visitor.page(more);
    await page.goto("/settings");
    assert.ok(!(await page.content()).includes(secret), "a secret is shown");
    const setting = async (name) => (await page.locator("tr", { has: page.getByRole("rowheader", { name, exact: true }) }).locator("td").first().innerText()).trim();
    assert.equal(await setting("chat.servers.house"), "http://127.0.0.1:9, key set (of HOUSE_KEY)");
    assert.equal(await setting("chat.servers.<img src=x onerror=window.ran=1>"), "http://127.0.0.1:9, key not set (of NO_SUCH_KEY)");
    assert.equal(await setting("chat.roles.audit"), "house/small");
    assert.equal(await setting("chat.roles.plan.extract"), "nobody");
    assert.equal(await setting("chat.roles.plan.judge"), "<img src=x onerror=window.ran=1>/large");
    assert.equal(await setting("embedder"), "lexical, for live steps");
    assert.match(await page.locator("dl.facts").innerText(), /all-MiniLM-L6-v2 (loaded|there|not there)/);
    await page.leave();
  } finally {
    await server.end();
  }
}

export async function go(visitor) {
  await forgetful(visitor);
  await locked(visitor);
  await roles(visitor);
}
