// Sets every formula that the command prints as LaTeX or Markdown, and those of the book: KaTeX reads them, and what
// it does not know, or only tolerates, is an error.
//
//     node check.mjs [EOM]        EOM: the command [default: ../../target/debug/eom]

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import katex from "katex";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const eom = process.argv[2] ?? join(root, "target/debug/eom");
const forms = ["multipliers", "reduced", "explicit", "hamiltonian"];

/** What the command prints of a model; nothing where it has no such form. */
function derived(model, ...args) {
  const made = spawnSync(eom, ["derive", model, ...args], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  if (made.status === 0) return made.stdout;
  if (args.includes("--form") && /: no \w+ form: /.test(made.stderr)) return "";
  throw new Error(made.stderr || made.error);
}

/** The files below a folder whose names end so. */
function below(folder, ending) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return below(path, ending);
    return name.endsWith(ending) ? [path] : [];
  });
}

/** The formulas of a LaTeX fragment: its environments, and what stands between \( and \). */
function ofLatex(text) {
  const environments = text.match(/\\begin\{(align\*?|gather\*?)\}[^]*?\\end\{\1\}/g) ?? [];
  const inline = [...text.matchAll(/\\\(([^]*?)\\\)/g)].map((found) => found[1]);
  return [...environments, ...inline];
}

/** The formulas of a page in Markdown: between $$, and in lines between \\( and \\). Code is no formula. */
function ofMarkdown(text) {
  const prose = text.replace(/^```[^]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  const displayed = [...prose.matchAll(/\$\$([^]*?)\$\$/g)].map((found) => found[1]);
  const inline = [...prose.matchAll(/\\\\\(([^]*?)\\\\\)/g)].map((found) => found[1]);
  // mdBook takes a backslash away before a sign.
  return [...displayed, ...inline.map((formula) => formula.replaceAll("\\\\", "\\"))];
}

const counts = { formulas: 0, wrong: 0 };

function check(where, formulas) {
  for (const formula of formulas) {
    counts.formulas += 1;
    try {
      // Letters beyond ASCII, such as ∂ in a name, are set as they are.
      const strict = (code) => (code === "unicodeTextInMathMode" ? "ignore" : "error");
      katex.renderToString(formula, { displayMode: true, throwOnError: true, strict });
    } catch (error) {
      counts.wrong += 1;
      console.error(`${where}: ${error.message}\n    ${formula.trim().split("\n").join("\n    ")}`);
    }
  }
}

const folders = ["models/eom", "eom-codegen/tests/fixtures", "examples", "tests/latex"];
const models = folders.flatMap((folder) => below(join(root, folder), ".eom")).map((path) => relative(root, path));
for (const model of models) {
  check(model, ofLatex(derived(model, "--format", "latex")));
  check(model, ofMarkdown(derived(model, "--format", "markdown")));
  for (const form of forms) {
    check(`${model}, ${form}`, ofLatex(derived(model, "--format", "latex", "--form", form)));
  }
}
for (const page of below(join(root, "book/src"), ".md")) {
  check(relative(root, page), ofMarkdown(readFileSync(page, "utf8")));
}
console.log(`${counts.formulas} formulas of ${models.length} models and of the book, ${counts.wrong} wrong`);
process.exit(counts.wrong === 0 && counts.formulas > 0 ? 0 : 1);
