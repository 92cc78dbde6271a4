// Builds the console into the folder given as argument, by default `dist/site`, and the embedded page into `embed` in it. Checks the sizes of
// what a browser loads.
//   node packages/console/build.mjs [folder]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { embedSizeOf, sizesOf } from './sizes.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const folder = resolve(process.argv[2] ?? `${root}/dist/site`)

/** In bytes. Smaller files fit into one packet. */
const MIN_COMPRESSED = 1_000

/** The packages of the workspace whose values a browser loads. A fresh clone has not compiled them yet. */
const OWN_PACKAGES = {
  '@onward/contract/pure': join(root, '../contract/src/pure.ts'),
  '@onward/json': join(root, '../json/src/index.ts'),
  '@onward/texts/embed': join(root, '../texts/src/embed.ts'),
}

// A test process sets it to `test`, and React would then be built with its checks.
// biome-ignore lint/style/noProcessEnv: Vite takes it from there only
process.env.NODE_ENV = 'production'

await buildPage('index.html', folder, 'public')
// Apart from the console, because it must be small, and is shown in frames under another policy.
await buildPage('embed.html', join(folder, 'embed'), false)

async function buildPage(page, outDir, publicDir) {
  await build({
    root,
    configFile: false,
    // The files work under any path. Insights makes the addresses in the page absolute.
    base: './',
    publicDir,
    logLevel: 'warn',
    resolve: { alias: OWN_PACKAGES },
    plugins: [{ name: 'small-packages-only', enforce: 'pre', resolveId: refuseOtherPackages }],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      sourcemap: false,
      // A data: URL would need an exception in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, page),
        onwarn(warning, warn) {
          // "use client" is for servers that draw pages. There is none here.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
    },
  })
}

/** Writes compressed files beside those that are worth it. Insights sends them. Fonts and pictures are compressed already. */
function compress(assets) {
  for (const name of readdirSync(assets).filter((each) => /\.(js|css|svg)$/.test(each))) {
    const content = readFileSync(join(assets, name))
    if (content.length < MIN_COMPRESSED) continue
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content))
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}

/** Imports of types are gone when this is asked. The schemas of the contract would more than double what a browser loads. */
function refuseOtherPackages(source, importer) {
  if (source.startsWith('@onward/') && !(source in OWN_PACKAGES)) throw new Error(`${importer} must import only types of ${source}`)
}

for (const each of [folder, join(folder, 'embed')]) compress(join(each, 'assets'))

const sizes = [...sizesOf(folder), embedSizeOf(join(folder, 'embed'))]
const problems = sizes.flatMap((each) => each.problems)
for (const { name, script, styles } of sizes) console.log(`${name}: script ${kilobytes(script)} kB, styles ${kilobytes(styles)} kB`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1)
}
