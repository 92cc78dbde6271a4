import { type Command, Option } from 'commander'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showJson, showList, showOne, type Terminal } from '../terminal.ts'

type Filters = GlobalOptions & {
  readonly user?: string
  readonly app?: string
  readonly search?: string
  readonly type?: string
  readonly connectedOnly?: true
  readonly limit: number
}

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
  addExamples(functions, [
    'onward functions list --app slack --user joe@example.com',
    'onward functions get slack-post-message --user joe@example.com',
    'onward functions get addressbook-create-contact --prompt "add Ada" --user joe@example.com --json',
  ])
}
