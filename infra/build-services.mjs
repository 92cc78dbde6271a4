// Makes the built services start fast; `tsc` has built them already. `pnpm build` and the image run it.
//
// Node takes about two seconds of CPU time to find and load the 1,400 modules of a service one by one. So each service is bundled into
// `dist/main.js` and a few chunks, which replace the `dist/main.js` of `tsc` and do the same.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { checkAppFiles } from '../packages/catalog/dist/index.js'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

await writeFile('services/functions/dist/checked-apps.json', JSON.stringify(await checkAppFiles('packages/catalog/apps')))

/** CommonJS packages in the bundle use these. */
const COMMONJS = `import { createRequire as createRequireOfBundle } from 'node:module'
import { fileURLToPath as pathOfBundle } from 'node:url'
const require = createRequireOfBundle(import.meta.url)
const __filename = pathOfBundle(import.meta.url)
const __dirname = pathOfBundle(new URL('.', import.meta.url))`

/** The programs of each service: the service itself, and the programs that it starts. */
const PROGRAMS = { functions: ['main', 'import-worker'], insights: ['main'] }

for (const [service, programs] of Object.entries(PROGRAMS)) {
  const outdir = `services/${service}/dist`
  await rm(`${outdir}/chunks`, { recursive: true, force: true })
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: programs.map((program) => `services/${service}/src/${program}.ts`),
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    // Modules that are imported on first use stay in separate files.
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    mainFields: ['module', 'main'],
    // pg loads it only when it is asked to.
    external: ['pg-native'],
    // Logs contain the names of errors, and ioredis compares names of classes. `keepOnlyClassNames` removes the names of functions.
    keepNames: true,
    // Node keeps the text of each file in memory. Lines stay short enough for a stack trace to point at a place.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    allowOverwrite: true,
    banner: { js: COMMONJS },
    logLevel: 'warning',
  })
  await Promise.all(
    Object.keys(metafile.outputs).map(async (file) => {
      await writeFile(file, toAscii(file, keepOnlyClassNames(file, await readFile(file, 'utf8'))))
    }),
  )
}

/**
 * esbuild's `keepNames` also sets the name of each closure whenever it is created. That took 6 % of the CPU time of a webhook. So this
 * sets the names of classes directly, and makes esbuild's function return its argument.
 */
function keepOnlyClassNames(file, code) {
  const changed = code
    .replace(/\b__name\(this,\s*(".*?")\)/g, 'Object.defineProperty(this,"name",{value:$1,configurable:!0})')
    .replace(/\b(__name=\((\w+),value\)=>)__defProp\(\2,"name",\{value,configurable:!0\}\)/, '$1$2')
  if (/__name=\(\w+,value\)=>__defProp/.test(changed))
    throw new Error(`${file} sets names of functions in a way that this script does not know`)
  return changed
}

/**
 * Escapes characters beyond ASCII. esbuild does so in texts, but not in comments and regular expressions, and V8 keeps a file with such a
 * character in twice the memory.
 */
function toAscii(file, code) {
  // An escape would change the meaning of these.
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code)) throw new Error(`${file} has a character that cannot be escaped`)
  return code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
