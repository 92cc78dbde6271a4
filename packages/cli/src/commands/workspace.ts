import { deleteWorkspace, listApplications, listWorkspaces, putWorkspace, rotatePartnerKey } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseHours, wholeNumberParser } from '../arguments.ts'
import { bothServices, deleteInBoth } from '../delete-application.ts'
import { addExamples } from '../examples.ts'
import { confirmDeletion } from '../prompt.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

type Deletion = { readonly force?: true; readonly dryRun?: true; readonly yes?: true }

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
  workspace
    .command('delete')
    .description('Delete a workspace with its API keys and subscriptions. Its id cannot be used again.')
    .argument('<workspace_id>')
    .option('--force', 'also delete its applications, with the connected accounts of their users')
    .option('--dry-run', 'only show what would be deleted')
    .option('--yes', 'do not ask')
    .action(async (workspaceId: string, asked: Deletion, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const services = await bothServices(terminal, options)
      const { applications } = await send(services.functions, listApplications, { query: { workspace_id: workspaceId } })
      const appKeys = applications.map(({ app_key }) => app_key)
      if (asked.dryRun) {
        showOne(terminal, options, { workspace_id: workspaceId, applications: appKeys })
        return
      }
      if (appKeys.length > 0 && !asked.force)
        throw new UsageError(`it has applications: ${appKeys.join(', ')}. Give --force to delete them too`)
      await confirmDeletion(terminal, workspaceId, asked.yes === true)
      for (const appKey of appKeys) await deleteInBoth(services, appKey)
      const { subscriptions } = await send(services.insights, deleteWorkspace, { params: { workspace_id: workspaceId } })
      showOne(terminal, options, { workspace_id: workspaceId, deleted: true, applications: appKeys, subscriptions })
    })
  addExamples(workspace, [
    'onward workspace create acme --name Acme',
    'onward workspace rotate-key acme --keep-previous-hours 2',
    'onward workspace delete acme --force --dry-run',
    'onward workspace list --json',
  ])
}
