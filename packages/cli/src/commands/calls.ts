import { type CallOutcome, outcomes, type ResponseOf, readCalls } from '@onward/contract'
import { type Input, send, type Target } from '@onward/contract-client'
import { type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { parseUserId, timeParser, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, showOne, type Terminal } from '../terminal.ts'

type Filters = {
  readonly workspace?: string
  readonly appKey?: string
  readonly user?: string
  readonly function?: string
  readonly app?: string
  readonly outcome?: CallOutcome
  readonly since?: string
  readonly until?: string
  readonly internal?: boolean
  readonly limit: number
}

type Call = ResponseOf<typeof readCalls>['calls'][number]

const COLUMNS = ['started_at', 'app_key', 'user_id', 'function_name', 'outcome', 'network_code', 'duration_ms', 'id']
const MAX_PAGE = 200

export function addCallsCommand(calls: Command, terminal: Terminal): void {
  calls
    .option('--workspace <workspace_id>', 'only calls of this workspace')
    .option('--app-key <app_key>', 'only calls of this application')
    .option('--user <user_id>', 'only calls of this user', parseUserId)
    .option('--function <name>', 'only calls of this function')
    .option('--app <app>', 'only calls of functions of this app')
    .addOption(new Option('--outcome <outcome>', 'only calls with this outcome').choices(outcomes))
    .option('--since <time>', 'from this time on: ISO 8601, or an age such as 15m, 2h or 3d', timeParser(terminal.now))
    .option('--until <time>', 'up to this time', timeParser(terminal.now))
    .option('--internal', 'calls that the service made to find ids, instead of calls of users')
    .option('--limit <n>', 'maximum number of calls', wholeNumberParser(1), 50)
    .action(async (filters: Filters, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const { workspace = await ownWorkspace(terminal, options) } = filters
      const calls = await newestCalls(functions, { ...filters, workspace })
      showList(terminal, options, { calls }, 'calls', COLUMNS)
    })

  calls
    .command('find')
    .description('Show one call of a user. It needs the keys of area A, and --user.')
    .argument('<call_id>', 'X-Call-ID of the response to the call')
    .action(async (id: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string }>()
      showOne(terminal, asked, await (await userOf(terminal, asked)).calls.get(id))
    })
  addExamples(calls, [
    'onward calls --user joe@example.com --since 1h',
    'onward calls --outcome unknown --limit 10 --json',
    'onward calls find 0199a0b2-0000-7000-8000-000000000000 --user joe@example.com',
  ])
}

async function newestCalls(functions: Target, filters: Filters): Promise<Call[]> {
  const { workspace: workspace_id, appKey: app_key, user: user_id, function: function_name, ...others } = filters
  const { app, outcome, since, until, internal, limit } = others
  const query = { workspace_id, app_key, user_id, function_name, app, outcome, since, until, internal }
  const calls: Call[] = []
  let cursor: string | null | undefined
  let previous: string | null | undefined
  do {
    const page: Input<typeof readCalls>['query'] = {
      ...query,
      page_size: Math.min(limit - calls.length, MAX_PAGE),
      _cursor: cursor ?? undefined,
    }
    const response = await send(functions, readCalls, { query: page })
    calls.push(...response.calls)
    previous = cursor
    cursor = response._cursor
  } while (cursor !== null && cursor !== previous && calls.length < limit)
  return calls
}
