import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showJson, showList, showOne, type Terminal } from '../terminal.ts'

type Asked = GlobalOptions & {
  readonly user?: string
  readonly app?: string
  readonly connectedOnly?: true
  readonly arguments?: true
  readonly top?: number
  readonly timeZone?: string
  readonly explain?: true
}

type Meta = { readonly path: string; readonly explained: Readonly<Record<string, unknown>> }

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
      if (explain === undefined) return showList(terminal, asked, { functions }, 'functions', columns)
      const { meta } = (await (await sent.asResponse()).json()) as { meta: Meta }
      if (asked.json) return showJson(terminal, { functions, meta })
      showList(terminal, asked, { functions }, 'functions', columns)
      terminal.stdout.write('\n')
      showOne(terminal, asked, { path: meta.path, ...meta.explained })
    })
  addExamples(predict, [
    'onward predict "add Ada with email ada@example.com to my contacts" --arguments --user joe@example.com',
    'onward predict "tell the team that the release is out" --explain --user joe@example.com',
    'onward predict "tell the team that the release is out" --top 3 --connected-only --user joe@example.com --json',
  ])
}
