import type { PolicyRule } from '@onward/contract'
import { type Command, Option } from 'commander'
import { parseUserId, readObject, wholeNumberParser } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showJson, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { TOKEN_COLUMNS, withColumns } from './application-mcp.ts'

type Asked = GlobalOptions & {
  readonly user?: string
  readonly mode: 'direct' | 'search'
  readonly name?: string
  readonly apps?: readonly string[]
  readonly functions?: readonly string[]
  readonly readOnly?: true
  readonly rules?: string
  readonly expiresInDays?: number
  readonly outputChars?: number
}

const RULES_HELP = 'JSON file with rules for calls, which allow no more than the rules of the application; - for standard input'

export function addMcpCommands(mcp: Command, terminal: Terminal): void {
  mcp
    .command('add')
    .description('Create a token with which an MCP client acts for the user. The token is shown once.')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .addOption(
      new Option('--mode <mode>', 'a tool for each function, or six tools that find and call functions')
        .choices(['direct', 'search'])
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'name of the client, for lists')
    .option('--apps <apps...>', 'only functions of these apps')
    .option('--functions <functions...>', 'only these functions')
    .option('--read-only', 'only functions that read')
    .option('--rules <file>', RULES_HELP)
    .option('--expires-in-days <days>', 'how long the token is valid; by default 30 days', wholeNumberParser(1))
    .option('--output-chars <n>', 'cut the output of a tool after this many characters; by default 30000', wholeNumberParser(1))
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Asked>()
      const { mode, name, apps, functions, readOnly, expiresInDays, outputChars } = asked
      const rules = await readRules(terminal, asked.rules)
      const user = await userOf(terminal, asked)
      const created = await user.mcp.createToken({ mode, name, apps, functions, readOnly, rules, expiresInDays, outputChars })
      const { settings, ...shown } = created
      if (asked.json) showJson(terminal, created)
      else showOne(terminal, asked, shown)
      if (created.tools === 0) {
        hint(
          terminal,
          'The token offers no tools yet: it allows no app that the user has connected. "onward apps list --connected-only" lists those.',
        )
      }
      hint(terminal, 'Store token now. It is not shown again. --json also prints the settings of clients. For Claude Code, run:')
      hint(terminal, settings.claude_code)
    })

  mcp
    .command('sign-in')
    .description('Make a link with which the user signs in to give MCP clients access that know only the MCP URL.')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--expires-in-minutes <minutes>', 'how long the link can be opened; by default 10 minutes', wholeNumberParser(1))
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string; expiresInMinutes?: number }>()
      const user = await userOf(terminal, asked)
      showOne(terminal, asked, await user.mcp.createSignInLink({ expiresInMinutes: asked.expiresInMinutes }))
      hint(terminal, 'The user opens url, presses "Sign in", and adds mcp_url to a program such as Claude Code.')
    })

  mcp
    .command('list')
    .description(
      "List the user's tokens that have not ended, newest first. A token with a redirect_host is a grant of the user to a program.",
    )
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--limit <n>', 'maximum number of tokens', wholeNumberParser(1), 100)
    .action(async (_: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string; limit: number }>()
      const user = await userOf(terminal, asked)
      const tokens = await user.mcp.listTokens({ pageSize: Math.min(asked.limit, 100) }).toArray({ limit: asked.limit })
      showList(terminal, asked, { tokens: tokens.map(withColumns) }, 'tokens', ['id', ...TOKEN_COLUMNS])
    })

  mcp
    .command('narrow')
    .description('Allow less with a token from its next request on. To allow more, create another one.')
    .argument('<id>', 'id from "mcp list"')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .option('--apps <apps...>', 'only functions of these apps, which it allows now')
    .option('--functions <functions...>', 'only these functions, which it allows now')
    .option('--read-only', 'only functions that read')
    .option('--rules <file>', `${RULES_HELP}. They are added to the rules that the token has`)
    .action(async (id: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<Pick<Asked, 'user' | 'apps' | 'functions' | 'readOnly' | 'rules'> & GlobalOptions>()
      const { apps, functions, readOnly } = asked
      const rules = await readRules(terminal, asked.rules)
      if ((apps ?? functions ?? readOnly ?? rules) === undefined) {
        throw new UsageError('give at least one of --apps, --functions, --read-only and --rules')
      }
      const { client, ...token } = await (await userOf(terminal, asked)).mcp.narrowToken(id, { apps, functions, readOnly, rules })
      showOne(terminal, asked, { ...token, redirect_host: client?.redirect_host ?? null })
    })

  mcp
    .command('revoke')
    .description('Revoke a token: every later request with it is refused.')
    .argument('<id>', 'id from "mcp list"')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .action(async (id: string, _: unknown, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string }>()
      const user = await userOf(terminal, asked)
      await user.mcp.revokeToken(id)
      showOne(terminal, asked, { id, revoked: true })
    })
  addExamples(mcp, [
    'onward mcp add --mode search --name "My laptop" --user joe@example.com',
    'onward mcp add --mode direct --apps slack --read-only --user joe@example.com --json',
    'onward mcp add --mode search --rules rules.json --user joe@example.com',
    'onward mcp sign-in --user joe@example.com --expires-in-minutes 60',
    'onward mcp list --user joe@example.com',
    'onward mcp narrow 0199a0b2-0000-7000-8000-000000000000 --apps slack --read-only --user joe@example.com',
  ])
}

/** Returns the rules in a file like the one of `application policy`; undefined without a file. */
async function readRules(terminal: Terminal, file: string | undefined): Promise<readonly PolicyRule[] | undefined> {
  if (file === undefined) return undefined
  const { rules } = await readObject(terminal, file)
  if (!Array.isArray(rules)) throw new UsageError(`${file} must contain {"rules": […]}`)
  return rules
}
