// Prints the number of lines of source code of each package and service, and of their tests. `pnpm check` runs it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const CODE = /\.(ts|tsx|mts|js|mjs|cjs|py|css)$/
const counts = new Map()
for (const file of execFileSync('git', ['ls-files', 'packages', 'services', 'infra'], { encoding: 'utf8' }).trimEnd().split('\n')) {
  if (!CODE.test(file)) continue
  const room = file.startsWith('infra/') ? 'infra' : file.split('/').slice(0, 2).join('/')
  const count = counts.get(room) ?? { source: 0, tests: 0 }
  const lines = readFileSync(file, 'utf8').split('\n').length - 1
  count[/\/tests?\//.test(file) ? 'tests' : 'source'] += lines
  counts.set(room, count)
}
const total = { source: 0, tests: 0 }
for (const { source, tests } of counts.values()) {
  total.source += source
  total.tests += tests
}
const row = (name, { source, tests }) => `${name.padEnd(26)}${String(source).padStart(8)}${String(tests).padStart(8)}`
const lines = [...counts].map(([room, count]) => row(room, count))
process.stdout.write([row('lines', { source: 'source', tests: 'tests' }), ...lines, row('total', total), ''].join('\n'))
