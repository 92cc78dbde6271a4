import { type Body, listSuspensions, putSuspension, suspensionState } from '@onward/contract'
import { send } from '@onward/contract-client'
import { type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { parseUserId } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showList, type Terminal } from '../terminal.ts'

type Suspended = GlobalOptions & {
  readonly appKey?: string
  readonly user?: string
  readonly state?: (typeof suspensionState.enum)[number]
  readonly reason?: string
}

const COLUMNS = ['workspace_id', 'app_key', 'user_id', 'state', 'reason', 'by_operator', 'suspended_at']

export function addSuspensionCommands(suspension: Command, terminal: Terminal): void {
  suspension
    .command('list')
    .description('List what is suspended.')
    .option('--workspace <workspace_id>', 'only this workspace')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly workspace?: string }>()
      const workspace_id = options.workspace ?? (await ownWorkspace(terminal, options))
      const response = await send(await adminOf('functions', terminal, options), listSuspensions, { query: { workspace_id } })
      showList(terminal, options, response, 'suspensions', COLUMNS)
    })

  addTarget(suspension.command('set'))
    .description('Suspend a workspace, or one of its applications or users. This takes effect within a second.')
    .addOption(
      new Option('--state <state>', 'read_only: only functions of type QUERY can be called')
        .choices(suspensionState.enum)
        .default('suspended'),
    )
    .requiredOption('--reason <text>', 'what callers are told')
    .action(async (workspaceId: string, _: unknown, command: Command) => {
      await put(terminal, workspaceId, command.optsWithGlobals<Suspended>())
    })

  addTarget(suspension.command('end'))
    .description('End the suspension of a workspace, or of one of its applications or users.')
    .action(async (workspaceId: string, _: unknown, command: Command) => {
      await put(terminal, workspaceId, command.optsWithGlobals<Suspended>())
    })
  addExamples(suspension, [
    "onward suspension set acme --app-key acme-crm --user joe@example.com --reason 'Unusual activity. Write to help@acme.example.'",
    "onward suspension set acme --state read_only --reason 'The invoice of October is not paid.'",
    'onward suspension end acme --app-key acme-crm --user joe@example.com',
  ])
}

function addTarget(command: Command): Command {
  return command
    .argument('<workspace_id>')
    .option('--app-key <app_key>', 'only this application; by default all applications of the workspace')
    .option('--user <user_id>', 'only this user of the application', parseUserId)
}

async function put(terminal: Terminal, workspace_id: string, options: Suspended): Promise<void> {
  const { appKey: app_key, user: user_id, state = 'active', reason } = options
  const body: Body<typeof putSuspension> = { workspace_id, app_key, user_id, state, reason }
  const response = await send(await adminOf('functions', terminal, options), putSuspension, { body })
  if (state === 'active' && response.previous_state === 'active' && !options.json) hint(terminal, 'this was not suspended')
  showList(terminal, options, response, 'suspensions', COLUMNS)
}
