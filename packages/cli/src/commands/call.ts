import type { CallResult } from '@onward/client'
import { ExactNumber, isStructured, writeJson } from '@onward/json'
import type { Command } from 'commander'
import { collect, parseUserId, readArguments, readFields, readObject, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { AppRefusedError, type GlobalOptions, hint, printable, showJson, type Terminal } from '../terminal.ts'

type Asked = GlobalOptions & {
  readonly user?: string
  readonly field: readonly string[]
  readonly input?: string
  readonly variable: readonly string[]
  readonly account?: number
  readonly cursor?: string
  readonly keep: readonly string[]
  readonly idempotencyKey?: string
  readonly dryRun?: true
}

export function addCallCommand(call: Command, terminal: Terminal): void {
  call
    .description('Call a function and print its output as JSON. The exit code is 5 if the app refuses the call.')
    .argument('<function>', 'name of the function')
    .option('--user <user_id>', 'User-ID on whose behalf the function is called', parseUserId)
    .option(
      '-f, --field <name=text>',
      'an argument; name:=JSON for a number, an object and so on; name=@path for a file; may be repeated',
      collect,
      [],
    )
    .option('--input <file>', 'JSON object with further arguments; - for standard input')
    .option('--variable <name=text>', 'value of a {name} tag in the arguments, or name:=JSON; may be repeated', collect, [])
    .option('--account <id>', 'connected account to use instead of the default', wholeNumberParser(1))
    .option('--cursor <cursor>', 'next page: the _cursor of an earlier output, with the same arguments')
    .option('--keep <path>', 'print only this part of the output, such as items.id; may be repeated', collect, [])
    .option('--idempotency-key <key>', 'execute the call at most once for this key')
    .option('--dry-run', 'print the request that would be sent to the app, without secrets, and send nothing')
    .action(async (name: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const args = {
        ...(asked.input === undefined ? {} : await readObject(terminal, asked.input)),
        ...(await readArguments(terminal, asked.field)),
      }
      const user = await userOf(terminal, asked)
      const options = {
        ...(asked.account === undefined ? {} : { connectedAccountId: asked.account }),
        ...(asked.variable.length === 0 ? {} : { variables: toClient(readFields(asked.variable)) }),
        ...(asked.cursor === undefined ? {} : { cursor: asked.cursor }),
        ...(asked.keep.length === 0 ? {} : { fields: asked.keep }),
      }
      if (asked.dryRun === true) {
        const { request, accountId, policy } = await user.functions.dryRun(name, toClient(args), options)
        return showJson(terminal, { dry_run: true, request, account_id: accountId, policy })
      }
      const key = asked.idempotencyKey === undefined ? {} : { idempotencyKey: asked.idempotencyKey }
      const result = await user.functions.call(name, toClient(args), { ...options, ...key })
      showResult(terminal, asked, result)
      if (!result.ok) {
        throw new AppRefusedError(`${name}: the app ${result.appError ? 'reported an error' : `responded with ${result.networkCode}`}`)
      }
    })
  addExamples(call, [
    'onward call addressbook-list-contacts -f page_size:=2 --user joe@example.com',
    'onward call slack-post-message -f channel="#general" -f text="Hello" --user joe@example.com',
    'onward call telegram-send-photo -f chat_id="@mychannel" -f photo=@photo.png --user joe@example.com',
    'onward call addressbook-get-contact -f contact_id:=1 --dry-run --user joe@example.com',
    'echo \'{"contact_id": 1}\' | onward call addressbook-get-contact --input - --user joe@example.com --json',
  ])
}

/** Prints the output alone, and the rest as messages. With `--json`, prints both as one document. */
function showResult(terminal: Terminal, { json }: GlobalOptions, result: CallResult): void {
  const {
    output,
    networkCode,
    cursor,
    nextPageProblem,
    retryAfter,
    location,
    fieldsMissing,
    refusedAccount,
    neededScopes,
    callId,
    replayed,
  } = result
  if (json) {
    showJson(terminal, {
      network_code: networkCode,
      output: fromClient(output),
      _cursor: fromClient(cursor),
      next_page_problem: nextPageProblem,
      retry_after: retryAfter,
      location,
      fields_missing: fieldsMissing,
      refused_account: refusedAccount && { status: refusedAccount.status, login_url: refusedAccount.loginUrl },
      needed_scopes: neededScopes,
      call_id: callId,
      replayed,
    })
    return
  }
  showJson(terminal, fromClient(output))
  const notes = [
    ...(nextPageProblem === null ? [] : [`there may be further pages: ${nextPageProblem}`]),
    ...(retryAfter === null ? [] : [`the app asks to wait ${retryAfter} s`]),
    ...(location === null ? [] : [`location ${location}`]),
    ...(refusedAccount === null ? [] : [`the account is ${refusedAccount.status}; connect it again${at(refusedAccount.loginUrl)}`]),
    ...(neededScopes === null ? [] : [`the function needs the scope ${neededScopes.map((each) => each.join(' and ')).join(', or ')}`]),
    ...(fieldsMissing.length === 0 ? [] : [`not in the output: ${fieldsMissing.join(', ')}`]),
  ]
  const next = cursor === null ? '' : `; next page: --cursor ${typeof cursor === 'string' ? cursor : writeJson(fromClient(cursor))}`
  hint(
    terminal,
    printable(`${networkCode}, call ${callId}${replayed ? ', replayed' : ''}${next}${notes.map((note) => `; ${note}`).join('')}`),
  )
}

const at = (url: string | null) => (url === null ? '' : ` at ${url}`)

/** Returns arguments as the client takes them: large integers as `bigint`, other numbers that JavaScript cannot hold as their digits. */
export function toClient<T extends object>(args: T): T {
  const numberOf = (exact: ExactNumber) => exact.asNumber() ?? (/^-?\d+$/.test(exact.text) ? BigInt(exact.text) : exact.text)
  return replaceIn(args, (value) => {
    if (value instanceof ExactNumber) return numberOf(value)
    return value instanceof File ? value : undefined
  }) as T
}

/** Returns a value of the client as `showJson` takes it. */
export function fromClient(value: unknown): unknown {
  return replaceIn(value, (each) => (typeof each === 'bigint' ? new ExactNumber(String(each)) : undefined))
}

function replaceIn(value: unknown, replacement: (value: unknown) => unknown): unknown {
  const replaced = replacement(value)
  if (replaced !== undefined || !isStructured(value)) return replaced ?? value
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, replacement))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, replacement)]))
}
