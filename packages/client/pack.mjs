// Packs the client: `node packages/client/pack.mjs [options of npm pack]`. Compiles it twice, as ES modules and as CommonJS, into a folder
// whose package.json names only what is in the package. In this repository, package.json also names the sources.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const from = import.meta.dirname
const to = mkdtempSync(join(tmpdir(), 'onward-client-'))
try {
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc')
  for (const [project, folder] of [
    ['tsconfig.json', 'dist/esm'],
    ['tsconfig.cjs.json', 'dist/cjs'],
  ]) {
    const options = ['--outDir', join(to, folder), '--incremental', 'false', '--composite', 'false', '--sourceMap', 'false']
    execFileSync(process.execPath, [tsc, '-p', join(from, project), ...options], { stdio: 'inherit' })
  }
  // Otherwise Node would read these files as ES modules, as the package's own "type" says.
  writeFileSync(join(to, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(join(from, file), join(to, file))
  const { private: _private, scripts: _scripts, devDependencies: _development, ...manifest } = readManifest()
  writeFileSync(join(to, 'package.json'), JSON.stringify(manifest, null, 2))
  execFileSync('npm', ['pack', to, ...process.argv.slice(2)], { stdio: 'inherit' })
} finally {
  rmSync(to, { recursive: true })
}

/** Returns package.json without the paths of the sources. */
function readManifest() {
  return JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'), (key, value) => (key === 'source' ? undefined : value))
}
