import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { parseUserId, readInput, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { AppRefusedError, type GlobalOptions, showJson, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { fromClient, toClient } from './call.ts'

type Filters = GlobalOptions & {
  readonly user?: string
  readonly app?: string
  readonly search?: string
  readonly type?: string
  readonly connectedOnly?: true
  readonly limit: number
}

type BatchAsked = GlobalOptions & {
  readonly input: string
  readonly user?: string
  readonly inOrder?: true
  readonly idempotencyKey?: string
}

/** The result of one call, as far as it decides the exit code. */
type BatchResult = { readonly result?: { readonly network_code: number; readonly meta?: { readonly app_error?: boolean } } }

export function addFunctionsCommands(functions: Command, terminal: Terminal): void {
  functions
    .command('list')
    .description('List functions in the order of their names.')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--app <app>', 'only functions of this app')
    .option('--search <text>', 'only functions whose name, title or description contains this text')
    .addOption(new Option('--type <type>', 'only functions of this type').choices(['QUERY', 'ACTION', 'PASSTHROUGH']))
    .option('--connected-only', 'only functions of apps that the user has connected')
    .option('--limit <n>', 'maximum number of functions', wholeNumberParser(1), 100)
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Filters>()
      const { app, search, type, connectedOnly, limit } = asked
      const user = await userOf(terminal, asked)
      const found = await user.functions.list({ app, search, type, connectedOnly }).toArray({ limit })
      showList(terminal, asked, { functions: found }, 'functions', ['name', 'app', 'type', 'title'])
    })

  functions
    .command('get')
    .description('Describe a function: its parameters, and with a prompt the predicted arguments.')
    .argument('<function>', 'name of the function')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--prompt <text>', 'predict the arguments from this text')
    .action(async (name: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string; prompt?: string }>()
      const user = await userOf(terminal, asked)
      const found = await user.functions.get(name, { prompt: asked.prompt })
      if (asked.json) {
        showJson(terminal, found)
        return
      }
      const { parameters, arguments: args, meta: _meta, ...rest } = found
      showOne(terminal, asked, { ...rest, ...(args && { arguments: args }) })
      terminal.stdout.write('\n')
      const rows = Object.entries(parameters.properties).map(([parameter, { type, description }]) => ({
        parameter,
        type,
        required: parameters.required.includes(parameter),
        description,
      }))
      showList(terminal, asked, { rows }, 'rows', ['parameter', 'type', 'required', 'description'])
    })

  functions
    .command('batch-call')
    .description('Make up to 20 calls in one request, and print the results as JSON. The exit code is 5 if one fails.')
    .requiredOption('--input <file>', 'JSON array of calls: [{"function_name": "…", "arguments": {}}]; - for standard input')
    .option('--user <user_id>', 'User-ID on whose behalf the functions are called', parseUserId)
    .option('--in-order', 'make each call after the one before; by default, all at the same time')
    .option('--idempotency-key <key>', 'execute each call at most once for this key')
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<BatchAsked>()
      const calls = await readInput(terminal, asked.input)
      if (!Array.isArray(calls)) throw new UsageError(`${asked.input} must contain a JSON array`)
      const user = await userOf(terminal, asked)
      const response = await user.request<{ results: readonly BatchResult[] }>('POST', '/functions/batch-call', {
        body: { calls: toClient(calls), mode: asked.inOrder ? 'in_order' : 'parallel' },
        headers: { 'Idempotency-Key': asked.idempotencyKey ?? `auto_${randomUUID()}` },
        repeatable: true,
      })
      showJson(terminal, fromClient(response))
      const failed = response.results.filter(({ result }) => result === undefined || !isSuccess(result))
      if (failed.length > 0) throw new AppRefusedError(`${failed.length} of ${response.results.length} calls failed`)
    })
  addExamples(functions, [
    'onward functions list --app slack --user joe@example.com',
    'onward functions get slack-post-message --user joe@example.com',
    'onward functions batch-call --input calls.json --user joe@example.com',
    'onward functions get addressbook-create-contact --prompt "add Ada" --user joe@example.com --json',
  ])
}

function isSuccess({ network_code: status, meta }: NonNullable<BatchResult['result']>): boolean {
  return status >= 200 && status <= 299 && meta?.app_error !== true
}
