import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, printable, showJson, showList, showOne, type Terminal } from '../terminal.ts'

type Asked = GlobalOptions & {
  readonly user?: string
  readonly app?: string
  readonly connectedOnly?: true
  readonly arguments?: true
  readonly top?: number
  readonly timeZone?: string
  readonly explain?: true
}

type Ranked = { readonly name: string }
type Meta = {
  readonly path?: string
  readonly explained?: Readonly<Record<string, unknown>>
  readonly next?: readonly Ranked[]
  readonly refused?: { readonly reason: string; readonly product?: string; readonly nearest?: readonly Ranked[] }
}

export function addPredictCommand(predict: Command, terminal: Terminal): void {
  predict
    .argument('<prompt>', 'what the user wants to do')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--app <app>', 'only functions of this app')
    .option('--connected-only', 'only functions of apps that the user has connected')
    .option('--arguments', 'also predict the arguments')
    .option('--top <n>', 'maximum number of functions', wholeNumberParser(1))
    .option('--time-zone <zone>', 'time zone of dates in the prompt, for example Europe/Rome')
    .option('--explain', 'also show what decided, and what a model server was offered and cost')
    .action(async (prompt: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const { app, connectedOnly, arguments: predictArguments, top: topK, timeZone, explain } = asked
      const user = await userOf(terminal, asked)
      const sent = user.functions.predict(prompt, { app, connectedOnly, predictArguments, topK, timeZone, explain })
      const functions = await sent
      const columns = ['name', 'confidence', 'title', ...(predictArguments ? ['arguments'] : [])]
      const { meta = {} } = (await (await sent.asResponse()).json()) as { meta?: Meta }
      if (asked.json) return showJson(terminal, { functions, ...(Object.keys(meta).length > 0 && { meta }) })
      showList(terminal, asked, { functions }, 'functions', columns, printable(reasonOf(meta)))
      if (meta.next !== undefined) hint(terminal, printable(`then: ${namesOf(meta.next)}`))
      if (explain === undefined) return
      terminal.stdout.write('\n')
      showOne(terminal, asked, { path: meta.path, ...meta.explained })
    })
  addExamples(predict, [
    'onward predict "add Ada with email ada@example.com to my contacts" --arguments --user joe@example.com',
    'onward predict "tell the team that the release is out" --explain --user joe@example.com',
    'onward predict "tell the team that the release is out" --top 3 --connected-only --user joe@example.com --json',
  ])
}

/** Returns why no function fits, with the nearest functions where `--top` asks for several. */
function reasonOf({ refused }: Meta): string {
  const { reason = '', product = 'the app', nearest = [] } = refused ?? {}
  const texts: Readonly<Record<string, string>> = {
    no_such_app: `there is no app ${product}`,
    no_such_operation: `${product} has no function for this`,
    unclear: 'the prompt does not say what to do',
    out_of_scope: 'the prompt asks for nothing that an app does',
  }
  return `no function fits: ${texts[reason] ?? reason}${nearest.length === 0 ? '' : `; nearest: ${namesOf(nearest)}`}`
}

function namesOf(functions: readonly Ranked[]): string {
  return functions.map(({ name }) => name).join(', ')
}
