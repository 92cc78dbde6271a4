import { ApiError } from '@onward/client'
import type { Command } from 'commander'
import { collect, parseUserId, readFields, readInput } from '../arguments.ts'
import { insightsOf, userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showJson, type Terminal, UsageError } from '../terminal.ts'

type Asked = GlobalOptions & { readonly user?: string; readonly field: readonly string[]; readonly input?: string }

/** The beginning of all paths of area B. */
const AREA_B = '/partners/'

export function addApiCommand(api: Command, terminal: Terminal): void {
  api
    .description(
      'Send any request to area A or B with the stored keys, and print the JSON response. Paths of area B begin with /partners/. ' +
        'The exit code is 1 if the response is an error.',
    )
    .argument('<METHOD>', 'GET, POST, PATCH and so on')
    .argument('<path>', 'path with its query')
    .option('--user <user_id>', 'User-ID on whose behalf the request is sent; required for area A', parseUserId)
    .option('-f, --field <name=text>', 'a property of the body, or of the query of a GET; name:=JSON for another type', collect, [])
    .option('--input <file>', 'JSON body; - for standard input')
    .action(async (given: string, path: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      if (!path.startsWith('/')) throw new UsageError('the path must begin with /')
      if (asked.input !== undefined && asked.field.length > 0) throw new UsageError('give either --field or --input')
      const method = given.toUpperCase()
      const fields = asked.field.length === 0 ? undefined : readFields(asked.field)
      const body = asked.input === undefined ? fields : await readInput(terminal, asked.input)
      const client = path.startsWith(AREA_B) ? await insightsOf(terminal, asked, 'workspace') : await userOf(terminal, asked)
      try {
        showJson(terminal, await client.request(method, path, method === 'GET' ? { query: fields } : { body }))
      } catch (err) {
        if (err instanceof ApiError) showJson(terminal, err.body)
        throw err
      }
    })
  addExamples(api, [
    'onward api POST /functions/list --user joe@example.com',
    'onward api POST /calls/list -f page_size:=5 --user joe@example.com',
    'onward api GET /partners/api/insights/subscriptions -f page_size:=10',
    'onward api PATCH /partners/api/accounts/me -f tasks_limit:=500',
  ])
}
