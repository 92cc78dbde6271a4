// Compiles the package twice: as ES modules and as CommonJS. `npm pack` runs it.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

process.chdir(import.meta.dirname)
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc')
for (const [project, folder] of [
  ['tsconfig.json', 'dist/esm'],
  ['tsconfig.cjs.json', 'dist/cjs'],
]) {
  rmSync(folder, { recursive: true, force: true })
  execFileSync(process.execPath, [tsc, '-p', project, '--incremental', 'false', '--composite', 'false', '--sourceMap', 'false'], {
    stdio: 'inherit',
  })
}
// Otherwise Node would read these files as ES modules, as the package's own "type" says.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
