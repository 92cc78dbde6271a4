import type { Command } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, type Terminal } from '../terminal.ts'

type Asked = GlobalOptions & {
  readonly user?: string
  readonly app?: string
  readonly connectedOnly?: true
  readonly arguments?: true
  readonly top?: number
  readonly timeZone?: string
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
    .action(async (prompt: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const { app, connectedOnly, arguments: predictArguments, top: topK, timeZone } = asked
      const user = await userOf(terminal, asked)
      const functions = await user.functions.predict(prompt, { app, connectedOnly, predictArguments, topK, timeZone })
      const columns = ['name', 'confidence', 'title', ...(predictArguments ? ['arguments'] : [])]
      showList(terminal, asked, { functions }, 'functions', columns)
    })
  addExamples(predict, [
    'onward predict "add Ada with email ada@example.com to my contacts" --arguments --user joe@example.com',
    'onward predict "tell the team that the release is out" --top 3 --connected-only --user joe@example.com --json',
  ])
}
