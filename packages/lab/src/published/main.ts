import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DevFile } from '@onward/dev-env'
import { browserRows } from './browser-rows.ts'
import { nodeRows } from './node-rows.ts'
import { pythonRows } from './python-rows.ts'
import type { Result, Target } from './row.ts'

/** Rows that no server can make pass: the HTTP library of the client refuses these ids as headers, and sends nothing. */
const CANNOT_PASS: ReadonlySet<string> = new Set(['Python: a user id beyond ASCII', 'Node: a user id beyond Latin-1'])

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const say = (line: string) => void process.stdout.write(`${line}\n`)

process.exitCode = await run()

/** Runs the published clients in a folder against the Onward of `npm start`. Returns 1 if a row failed that can pass. */
async function run(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, profile: { type: 'string', default: 'published' } } })
  const { from, profile } = values
  if (from === undefined) {
    say('skipped: no published clients given; use npm run test:published -- --from <folder>')
    return 0
  }
  const dev: DevFile = JSON.parse(readFileSync(join(root, '.onward/dev.json'), 'utf8'))
  const { functions_url: url, user_id, other_user_id } = dev
  const keys = profile === 'standard' ? dev : { app_key: dev.published_app_key, app_secret: dev.published_app_secret }
  const target: Target = { url, app_key: keys.app_key, app_secret: keys.app_secret, user_id, other_user_id }
  const failed = [
    show('Python', await pythonRows(from, target, process.env)),
    show('Node', await nodeRows(from, target)),
    show('browser', await browserRows(from, target, dev, process.env)),
  ].flat()
  return failed.every((row) => CANNOT_PASS.has(row)) ? 0 : 1
}

/** Prints the rows of a client, and returns the names of the failed rows. */
function show(client: string, result: Result): string[] {
  if ('skipped' in result) {
    say(`${client}: skipped: ${result.skipped}`)
    return []
  }
  const failed = result.rows.filter(({ problem }) => problem !== null)
  say(`${client}: ${result.rows.length - failed.length} of ${result.rows.length} rows pass`)
  for (const { row, problem } of failed) say(`  ${CANNOT_PASS.has(`${client}: ${row}`) ? 'cannot pass' : 'FAILED'}  ${row}: ${problem}`)
  return failed.map(({ row }) => `${client}: ${row}`)
}
