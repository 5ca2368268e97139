// What the browser tests share: a browser, what may not happen in it, and what holds for every page.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const require = createRequire(path.join(process.env.BROWSER_PACKAGES, "package.json"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const base = process.env.STEADFAST_URL;
const pictures = process.env.BROWSER_PICTURES;

const WIDTHS = [320, 360, 768, 1440];
/** As long as a machine may take that has much else to do. */
const PATIENCE_MS = 60_000;

/** Texts that must be shown and must do nothing: each with a mark of its own, so that it can be looked for. */
export const hostile = (count) => {
  const shapes = [
    (n) => `<script>window.ran=${n}</script>`,
    (n) => `"><img src=x onerror="window.ran=${n}">`,
    (n) => `'><svg/onload=window.ran=${n}>`,
    (n) => `<a href="javascript:window.ran=${n}">h${n}</a>`,
    (n) => `</textarea></title></style></script><iframe srcdoc="<script>top.ran=${n}</script>"></iframe>`,
    (n) => `<form action="https://evil.example/${n}"><button>h${n}`,
    (n) => `<meta http-equiv="refresh" content="0;url=https://evil.example/${n}">`,
    (n) => `<link rel="stylesheet" href="https://evil.example/${n}.css">`,
    (n) => `<base href="https://evil.example/${n}/">`,
    (n) => `{{ constructor.constructor("window.ran=${n}")() }}`,
    (n) => `<div hx-get="https://evil.example/${n}" hx-trigger="load" hx-on:load="window.ran=${n}">h${n}</div>`,
    (n) => `\u001b[31mh${n}\u001b[0m\u001b]8;;https://evil.example/${n}\u0007`,
    (n) => `\u202eh${n}\u202c\u2066\u200bx`,
    (n) => `__proto__ constructor toString h${n}`,
    (n) => `{"__proto__":{"polluted":${n}}}`,
    (n) => `%3Cscript%3Ewindow.ran=${n}%3C/script%3E`,
    (n) => `h${n}${"A".repeat(300)}`,
    (n) => `<!--h${n}--><![CDATA[<script>window.ran=${n}</script>]]>`,
    (n) => `&lt;script&gt;window.ran=${n}&lt;/script&gt;&#x202e;`,
    (n) => `<style>*{display:none}</style><p style="position:fixed;inset:0">h${n}</p>`,
    (n) => `\ufeff\u0001\u0085h${n}\u2028\u2029`,
    (n) => `${"../".repeat(9)}etc/h${n}`,
    (n) => `<input autofocus onfocus=window.ran=${n}>`,
    (n) => `<details open ontoggle=window.ran=${n}>h${n}`,
    (n) => `\`\${window.ran=${n}}\``,
  ];
  return Array.from({ length: count }, (_, n) => shapes[n % shapes.length](n));
};

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
});

/** Who goes through pages, and everything that went wrong in them. */
export class Visitor {
  #left = new Map();
  troubles = [];
  visited = new Set();

  /**
   * A page of its own, in which nothing may run, open, or be asked for elsewhere. `baseURL` names another server than that of the tests.
   * Its `leave` has to be called: it keeps the window for who wants such a page next, because opening one takes longer than most pages do.
   */
  async page({ script = true, baseURL = base, storageState } = {}) {
    const kind = `${script} ${baseURL}`;
    const page = this.#left.get(kind)?.pop() ?? await this.#opened(kind, script, baseURL);
    if (storageState) await page.context().addCookies(storageState.cookies);
    return page;
  }

  async #opened(kind, script, baseURL) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      javaScriptEnabled: script,
      reducedMotion: "reduce",
      baseURL,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const wrong = (what) => this.troubles.push(`${page.url()}: ${what}`);
    page.on("dialog", (dialog) => { wrong(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("pageerror", (error) => wrong(`an error: ${error.message}`));
    page.on("console", (message) => {
      // A browser writes of every answer that is no 2xx; tests that ask for such a page expect it.
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) wrong(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${baseURL}/`) && !url.startsWith("data:")) wrong(`asked for ${url}`);
      if (url.endsWith("/csp-report")) wrong(`was kept from something: ${request.postData()}`);
    });
    context.on("page", (other) => { if (other !== page) wrong(`opened ${other.url()}`); });
    page.leave = async () => {
      // From inside, because Chromium starts another process where it is sent there from outside.
      await page.evaluate(() => location.replace("about:blank"));
      await page.waitForURL("about:blank");
      await page.emulateMedia({ media: "screen", colorScheme: "light" });
      await context.clearCookies();
      this.#left.set(kind, [...(this.#left.get(kind) ?? []), page]);
    };
    return page;
  }

  /** Everything that holds for every page, at one address; `more` is what the pages are made with. */
  async inspect(address, name, more = {}) {
    this.visited.add(name);
    const page = await this.page(more);
    const answer = await page.goto(address);
    assert.ok(answer.status() < 500, `${address}: ${answer.status()}`);
    await frame(page, address);
    await calm(page, address);
    await accessible(page, `${address} (light)`);
    await this.#picture(page, name, "light", WIDTHS);
    const size = (await answer.body()).length;
    assert.ok(size <= 2_000_000, `${address}: ${size} bytes`);
    // On paper nothing is cut off, and what only a screen needs is not there.
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".side").isVisible(), false, `${address}: the navigation is printed`);
    assert.ok(await page.locator("main h1").isVisible(), `${address}: no heading is printed`);
    // In the dark the same page has other colours, and nothing else.
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await accessible(page, `${address} (dark)`, { runOnly: ["color-contrast"] });
    await this.#picture(page, name, "dark", WIDTHS.slice(-1));
    await page.leave();

    // Without a script the page says the same.
    const still = await this.page({ ...more, script: false });
    await still.goto(address);
    const title = await still.locator("h1").innerText();
    assert.ok(title.length > 0, `${address}: no heading without a script`);
    assert.ok((await still.locator("main").innerText()).length > 40, `${address}: empty without a script`);
    await still.leave();
  }

  /** Pictures at these widths, and nothing that is wider than its window. */
  async #picture(page, name, look, widths) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const [own, window] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(own <= window, `${page.url()}: ${own} wide in a window of ${window}`);
      if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${look}-${width}.png`), fullPage: true });
    }
  }
}

/** One heading of the first level, levels without gaps, landmarks, a title that says what the page is. */
async function frame(page, address) {
  const levels = await page.locator("main :is(h1,h2,h3,h4,h5,h6)").evaluateAll((all) => all.map((own) => Number(own.tagName[1])));
  assert.equal(levels.filter((level) => level === 1).length, 1, `${address}: headings of the first level`);
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `${address}: a heading of level ${level} follows one of ${before}`);
    return level;
  }, 0);
  const heading = (await page.locator("h1").innerText()).trim();
  assert.equal(await page.title(), `${heading} · Steadfast`, address);
  for (const landmark of ["header.side", "nav[aria-label=Main]", "main", "footer"]) {
    assert.equal(await page.locator(landmark).count(), 1, `${address}: ${landmark}`);
  }
  // A figure's definition is one click away, and is there.
  const bare = await page.locator(":is(.figures, .result .verdict, .result dl.facts, .result .scores, .result .evidence) dt:not(:has(a[href^='/help#']))").allTextContents();
  assert.deepEqual(bare.filter((own) => own !== "Of them"), [], `${address}: figures without a definition`);
  for (const term of await page.locator("main a[href^='/help#']").evaluateAll((all) => all.map((own) => own.getAttribute("href")))) {
    assert.match(term, /^\/help#[a-z-]+$/, address);
  }
}

/** What no page may hold: elements that load or run something of others, and characters that act unseen. */
const ACTS = "iframe, object, embed, base, main :is(script, style, meta, link, [onerror], [onload], [onfocus], [ontoggle], [hx-get], [style], [autofocus]), a[href^='javascript']";
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/;

/** Nothing of others ran, nothing of theirs became markup, and no character acts unseen. */
export async function calm(page, what) {
  const acted = await page.evaluate((acts) => [window.ran, ({}).polluted, document.querySelectorAll(acts).length], ACTS);
  assert.deepEqual(acted, [undefined, undefined, 0], `${what}: something of others acts`);
  const text = await page.locator("body").innerText();
  assert.ok(!UNSEEN.test(text), `${what}: a character that acts unseen`);
}

/** The same for pages that are asked for without being shown: each is read as a browser reads it. No answer may be a fault. */
export async function calm_text(page, addresses, init = {}) {
  const all = await page.evaluate(([addresses, init, ACTS, UNSEEN]) => Promise.all(addresses.map(async (address) => {
    const answer = await fetch(address, { ...init, headers: { accept: "text/html", ...init.headers } });
    const text = new DOMParser().parseFromString(await answer.text(), "text/html");
    const acts = text.querySelectorAll(ACTS).length;
    // A field holds what was typed, to the character.
    for (const own of text.querySelectorAll("textarea")) own.remove();
    return [answer.status, answer.headers.get("content-type"), acts, new RegExp(UNSEEN).test(text.body.textContent)];
  })), [addresses, init, ACTS, UNSEEN.source]);
  for (const [at, [status, type, acts, unseen]] of all.entries()) {
    const what = `${addresses[at].slice(0, 200)} ${String(init.body ?? "").slice(0, 200)}`;
    assert.ok(status < 500, `${status}: ${what}`);
    assert.match(type ?? "", /^text\/html/, what);
    assert.equal(acts, 0, `something of others acts: ${what}`);
    assert.ok(!unseen, `a character that acts unseen: ${what}`);
  }
}

/**
 * Every number of a page stands in what the API says, or is one of `also`: as a number, rounded to the decimals that are shown, in a text,
 * or as a count of what is listed there. What a picture or a command says is left out.
 */
export async function numbered(page, sources, also = []) {
  const shown = await page.evaluate(() => {
    for (const own of document.querySelectorAll("details")) own.open = true;
    const texts = [];
    const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let own = walk.nextNode(); own; own = walk.nextNode()) {
      if (!own.parentElement.closest("svg, .hint, form, nav, .place, textarea, h1")) texts.push(own.data);
    }
    return texts;
  });
  const tokens = (text) => (text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).map((own) => own.replaceAll(",", ""));
  const [numbers, known, most] = [[], new Set(also.map(String)), { count: 0 }];
  const take = (value) => {
    if (typeof value === "number") numbers.push(Math.abs(value));
    if (typeof value === "string") for (const own of tokens(value)) for (const part of [own, ...own.split(".")]) known.add(part);
    if (value === null || typeof value !== "object") return;
    most.count = Math.max(most.count, Object.keys(value).length);
    for (const [name, own] of Object.entries(value)) { take(name); take(own); }
  };
  take(sources);
  const wrong = new Set();
  for (const text of shown) {
    for (const own of tokens(text)) {
      const share = text.includes(`${own} %`) ? 100 : 1;
      const decimals = own.split(".")[1]?.length ?? 0;
      const counted = decimals === 0 && Number(own) <= most.count;
      if (!known.has(own) && !counted && !numbers.some((value) => (value * share).toFixed(decimals) === own)) wrong.add(`${own} (in “${text.trim().slice(0, 80)}”)`);
    }
  }
  assert.equal(wrong.size, 0, `${page.url()}: numbers that the API does not say:\n  ${[...wrong].join("\n  ")}`);
  assert.ok(shown.some((text) => tokens(text).length > 0), `${page.url()}: no number at all`);
}

/** What axe looks at for long, and calls moderate at most. */
const MODERATE = { region: { enabled: false } };

/** Nothing serious or critical that axe finds; `more` says what it looks at. */
export async function accessible(page, what, more = {}) {
  if (!(await page.evaluate(() => "axe" in window))) {
    // As the browser takes it: Playwright would read half a megabyte of script first.
    const inside = await page.context().newCDPSession(page);
    await inside.send("Runtime.evaluate", { expression: axe });
    await inside.detach();
  }
  const found = await page.evaluate((more) => window.axe.run(document, { resultTypes: ["violations"], ...more }), { rules: MODERATE, ...more });
  const bad = found.violations.filter((own) => ["serious", "critical"].includes(own.impact));
  const told = bad.map((own) => `${own.id} (${own.impact}): ${own.help}\n    ${own.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join("\n    ")}`);
  assert.equal(bad.length, 0, `${what}: axe finds\n  ${told.join("\n  ")}`);
}

/** A command of its own, in a folder: what it prints. */
export const command = (folder, ...words) => execFileSync(process.env.STEADFAST_BIN, words, { cwd: folder, encoding: "utf8" }).trim();

/** A server of its own, in a folder of its own that `begun` may fill before it starts. Its `end` has to be called. */
export async function serve(words, { begun = () => {}, env = {} } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "steadfast-browser-"));
  begun(folder);
  const all = ["serve", "--listen", "127.0.0.1:0", "--print-url", "--embedder", "lexical", ...words];
  const child = spawn(process.env.STEADFAST_BIN, all, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
  const gone = new Promise((done) => child.once("exit", done));
  const url = await Promise.race([new Promise((done) => readline.createInterface(child.stdout).once("line", done)), gone]);
  assert.match(String(url), /^http:/, "the server did not start");
  const end = async () => {
    child.kill();
    await gone;
    fs.rmSync(folder, { recursive: true });
  };
  return { url, folder, end };
}

/** What the API says at an address. */
export async function api(address) {
  const answer = await fetch(base + address, { headers: { accept: "application/json" } });
  assert.equal(answer.status, 200, address);
  return answer.json();
}

/** The id of the run that a page shows. */
export const run_of = (page) => new URL(page.url()).pathname.split("/")[2];

/** The words of a figure, by its label. */
export const figure = async (page, label) =>
  (await page.locator(".figure", { has: page.locator("dt", { hasText: label }) }).locator(".value").first().innerText()).trim();

/** Where the keyboard is after each of so many steps: what would be clicked, and whether it can be seen. */
export async function tabbed(page, steps) {
  const seen = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => {
      const own = document.activeElement;
      const box = own.getBoundingClientRect();
      const look = getComputedStyle(own);
      return {
        what: own.tagName.toLowerCase(),
        name: own.getAttribute("href") ?? own.id ?? "",
        words: own.innerText?.trim() ?? "",
        visible: box.width > 0 && box.height > 0,
        outlined: look.outlineStyle !== "none" && Number.parseFloat(look.outlineWidth) >= 1,
      };
    }));
  }
  return seen;
}
