/**
 * Bundle each widget twice: as one ES module without imports, which anywidget loads, and as a classic script, which the static
 * page loads (a browser refuses modules from a folder on disk). Both from one source.
 *
 * node build.mjs <out> <palette.json>
 */
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [out, palettePath] = process.argv.slice(2).map((p) => resolve(p));
if (!out || !palettePath) {
  console.error("usage: node build.mjs OUT PALETTE.json");
  process.exit(2);
}
mkdirSync(out, { recursive: true });

/** The colours, typed once in Python, come in as a module. */
const palette = {
  name: "palette",
  setup(b) {
    b.onResolve({ filter: /^virtual:palette$/ }, () => ({ path: "palette", namespace: "palette" }));
    b.onLoad({ filter: /.*/, namespace: "palette" }, () => ({ contents: readFileSync(palettePath, "utf8"), loader: "json" }));
  },
};
const shared = { bundle: true, minify: true, target: "es2022", legalComments: "none", plugins: [palette], logLevel: "warning" };
const widgets = readdirSync(join(here, "src/widgets")).filter((f) => f.endsWith(".js"));

await Promise.all(widgets.flatMap((file) => {
  const slug = basename(file, ".js");
  const entry = join(here, "src/widgets", file);
  return [
    build({ ...shared, entryPoints: [entry], format: "esm", outfile: join(out, `${slug}.mjs`) }),
    build({
      ...shared, format: "iife", outfile: join(out, `${slug}.js`),
      stdin: { contents: `import widget from ${JSON.stringify(entry)}; window.permsymHost.ready(${JSON.stringify(slug)}, widget);`, resolveDir: here },
    }),
  ];
}));
await build({ ...shared, entryPoints: [join(here, "src/host.js")], format: "iife", outfile: join(out, "host.js") });
await build({ ...shared, entryPoints: [join(here, "src/widgets.css")], outfile: join(out, "widgets.css") });
