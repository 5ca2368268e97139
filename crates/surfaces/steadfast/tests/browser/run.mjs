// Goes through every page the way a person would. Each file of `pages` has the pages of one part: it exports `name` and `go(visitor)`.
// Parts that are `alone`, with servers of their own, are gone through beside the others.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { browser, Visitor } from "./lib.mjs";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "pages");
const wanted = process.env.BROWSER_ONLY;
const files = fs.readdirSync(folder).filter((name) => name.endsWith(".mjs") && (!wanted || name.includes(wanted))).sort();
const parts = await Promise.all(files.map((file) => import(pathToFileURL(path.join(folder, file)))));

let [failed, looked_at] = [0, 0];
async function through(parts) {
  const visitor = new Visitor();
  for (const part of parts) {
    const begun = Date.now();
    visitor.troubles = [];
    try {
      await part.go(visitor);
      if (visitor.troubles.length > 0) throw new Error(`what may not happen happened:\n  ${visitor.troubles.join("\n  ")}`);
      console.log(`ok      ${part.name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${part.name}: ${error.stack ?? error}`);
      if (visitor.troubles.length > 0) console.log(`  ${visitor.troubles.join("\n  ")}`);
    }
  }
  looked_at += visitor.visited.size;
}
await Promise.all([through(parts.filter((part) => !part.alone)), through(parts.filter((part) => part.alone))]);
await browser.close();
console.log(`${files.length - failed} of ${files.length} parts passed; ${looked_at} pages looked at`);
process.exit(failed === 0 && files.length > 0 ? 0 : 1);
