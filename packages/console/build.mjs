// Builds the console into the folder given as argument, by default `dist/site`, and checks the sizes of what a browser loads.
//   node packages/console/build.mjs [folder]
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { sizesOf } from './sizes.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const folder = resolve(process.argv[2] ?? `${root}/dist/site`)

await build({
  root,
  configFile: false,
  // The files work under any path. Insights makes the addresses in index.html absolute.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    sourcemap: false,
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

const sizes = sizesOf(folder)
const problems = sizes.flatMap((each) => each.problems)
for (const { name, script, styles } of sizes) console.log(`${name}: script ${kilobytes(script)} kB, styles ${kilobytes(styles)} kB`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1)
}
