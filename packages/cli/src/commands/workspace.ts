import { listWorkspaces, putWorkspace, rotatePartnerKey } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { parseHours, wholeNumberParser } from '../arguments.ts'
import { adminOf } from '../settings.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal } from '../terminal.ts'

export function addWorkspaceCommands(workspace: Command, terminal: Terminal): void {
  workspace
    .command('create')
    .description('Create a workspace, or rename it. The partner API key is shown once.')
    .argument('<workspace_id>', 'letters, digits, - and _')
    .requiredOption('--name <name>', 'display name')
    .action(async (workspaceId: string, { name }: { name: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const made = await send(insights, putWorkspace, { params: { workspace_id: workspaceId }, body: { name } })
      showOne(terminal, options, made)
      hint(
        terminal,
        made.created ? 'Store partner_api_key now. It is not shown again.' : 'The workspace already existed and keeps its key.',
      )
    })

  workspace
    .command('set')
    .description('Change settings of a workspace.')
    .argument('<workspace_id>')
    .requiredOption('--rate-limit <requests>', 'maximum number of requests a minute', wholeNumberParser(1))
    .action(async (workspaceId: string, { rateLimit }: { rateLimit: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      // The request must contain the name.
      const { workspaces } = await send(insights, listWorkspaces)
      const found = workspaces.find((each) => each.workspace_id === workspaceId)
      if (found === undefined) throw new Error(`the workspace ${workspaceId} does not exist`)
      const body = { name: found.name, rate_limit: rateLimit }
      await send(insights, putWorkspace, { params: { workspace_id: workspaceId }, body })
      showOne(terminal, options, { workspace_id: workspaceId, rate_limit: rateLimit })
    })

  workspace
    .command('list')
    .description('List workspaces.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const answer = await send(await adminOf('insights', terminal, options), listWorkspaces)
      showList(terminal, options, answer, 'workspaces', ['workspace_id', 'name', 'default_limit', 'rate_limit', 'created_at'])
    })

  workspace
    .command('rotate-key')
    .description('Create a new partner API key. The previous one stays valid for a while.')
    .argument('<workspace_id>')
    .option('--keep-previous-hours <hours>', 'how long the previous key stays valid', parseHours)
    .action(async (workspaceId: string, { keepPreviousHours }: { keepPreviousHours?: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const body = { keep_previous_hours: keepPreviousHours }
      showOne(terminal, options, await send(insights, rotatePartnerKey, { params: { workspace_id: workspaceId }, body }))
      hint(terminal, 'Store partner_api_key now. It is not shown again.')
    })
}
