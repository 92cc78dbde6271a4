// Bundles the command and everything that it imports into one file, so that it installs without dependencies and starts fast. `npm pack`
// runs it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

process.chdir(import.meta.dirname)
const { metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/onward.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  // The CommonJS file of jsonc-parser requires its parts in a way that a bundler cannot follow.
  mainFields: ['module', 'main'],
  // CommonJS packages in the bundle require modules of Node.
  banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" },
  metafile: true,
})

/** The folders of the packages in the bundle that are not ours. Their licences require their texts to be passed on. */
const folders = new Set(Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
const notices = [...folders].map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(`${folder}/${file}`, 'utf8'))].join('\n\n')
})
writeFileSync('dist/LICENSES.txt', notices.sort((one, other) => one.localeCompare(other)).join(`\n\n${'-'.repeat(80)}\n\n`))
