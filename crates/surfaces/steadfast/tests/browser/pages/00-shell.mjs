// The frame of all pages, before anything was run: empty states, search, errors, the glossary, the keyboard.

import assert from "node:assert/strict";

import { base, tabbed } from "../lib.mjs";

export const name = "shell";

export async function go(visitor) {
  for (const [address, called] of [["/", "overview-empty"], ["/runs", "runs-empty"], ["/help", "help"], ["/nothing", "error"], ["/sign-in", "sign-in"]]) {
    await visitor.inspect(address, called);
  }
  const page = await visitor.page();

  // Empty pages say what to do: a form and a command.
  await page.goto("/");
  for (const instrument of ["/pick", "/plan", "/watch", "/review", "/audit"]) {
    assert.ok(await page.locator(`main a.primary[href="${instrument}"]`).isVisible(), instrument);
  }
  await page.goto("/runs");
  assert.ok(await page.locator("main .empty a.primary").isVisible());
  assert.match(await page.locator("main .empty code").innerText(), /^steadfast audit /);

  // A mistyped address and an id that is not there are told of in the page.
  assert.equal((await page.goto("/nothing")).status(), 404);
  assert.equal(await page.locator("h1").innerText(), "Nothing is here");
  await page.goto("/");
  await page.keyboard.press("/");
  await page.keyboard.type("no-such-run<script>window.ran=1</script>");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/search?**");
  assert.match(await page.locator("main").innerText(), /no run and no task of the id `no-such-run<script>window\.ran=1<\/script>` is kept here/);

  // The keyboard: the first stop skips to the content, every stop can be seen, and all of the navigation is reached.
  await page.goto("/");
  const stops = await tabbed(page, 14);
  assert.equal(stops[0].name, "#content");
  for (const stop of stops) assert.ok(stop.visible && stop.outlined, JSON.stringify(stop));
  const links = await page.locator("nav[aria-label=Main] a").evaluateAll((all) => all.map((own) => own.getAttribute("href")));
  assert.ok(links.length >= 9, `${links}`);
  for (const link of links) assert.ok(stops.some((stop) => stop.name === link), `the keyboard does not reach ${link}`);
  await page.goto("/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");

  // Every definition has an anchor, and an address that names one shows it.
  await page.goto("/help#fidelity");
  assert.ok(await page.locator("#fidelity").isVisible());
  assert.ok(await page.locator("#fidelity").evaluate((own) => own.matches(":target")));

  assert.equal((await page.goto("/")).headers()["referrer-policy"], "same-origin");

  // What a page loads comes from here and is kept; what the page is, is not.
  const answer = await page.goto("/");
  assert.equal(answer.headers()["cache-control"], "no-store");
  assert.match(answer.headers()["content-security-policy"], /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  const sheet = await page.locator("link[rel=stylesheet]").first().getAttribute("href");
  assert.match((await fetch(base + sheet)).headers.get("cache-control"), /immutable/);
  await page.leave();
}
