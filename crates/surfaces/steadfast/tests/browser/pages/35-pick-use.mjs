// A chain that was picked, in use: its placeholders filled on its page, with and without a script, by words that would act if they could.

import assert from "node:assert/strict";

import { calm, command, hostile, serve } from "../lib.mjs";

export const name = "a picked chain in use";
export const alone = true;

export async function go(visitor) {
  const begun = (folder) => command(folder, "vault", "import", "--shipped", "--vault", "s.db", "--no-embed", "-q");
  const server = await serve(["--store", "s.db"], { begun });
  try {
    for (const script of [true, false]) {
      const page = await visitor.page({ baseURL: server.url, script });
      await page.goto("/pick?example=1");
      await page.getByRole("button", { name: "Pick prompts" }).click();
      await page.locator("#use").waitFor();
      const address = new URL(page.url()).pathname;
      const blanks = page.locator("#use textarea");
      const texts = hostile(await blanks.count());
      assert.ok(texts.length > 0, "what was picked has no placeholder");
      for (const [at, text] of texts.entries()) await blanks.nth(at).fill(text);
      await page.getByRole("button", { name: "Fill in" }).click();
      await page.waitForURL(/\/fill/);
      assert.match(await page.locator("#use").innerText(), /all placeholders filled/);
      assert.ok(!(await page.locator("#use pre").innerText()).includes("{{subject}}"));
      if (script) await calm(page, "a chain filled with hostile text");
      await page.leave();
      if (script) await visitor.inspect(address, "pick-use", { baseURL: server.url });
    }
  } finally {
    await server.end();
  }
}
