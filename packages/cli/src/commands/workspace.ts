import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  createApiKey,
  deleteWorkspace,
  getWorkspace,
  listApplications,
  listWorkspaces,
  putWorkspace,
  revokeApiKey,
  rotatePartnerKey,
} from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseHours, parseScopes, wholeNumberParser } from '../arguments.ts'
import { bothServices, deleteInBoth } from '../delete-application.ts'
import { addExamples } from '../examples.ts'
import { confirmDeletion } from '../prompt.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

type NewKey = { readonly name: string; readonly scopes: ApiKeyScope[]; readonly expiresInDays?: number }
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
      const response = await send(await adminOf('insights', terminal, options), listWorkspaces)
      showList(terminal, options, response, 'workspaces', ['workspace_id', 'name', 'default_limit', 'rate_limit', 'created_at'])
    })

  workspace
    .command('create-key')
    .description('Create another partner API key. It is shown once.')
    .argument('<workspace_id>')
    .requiredOption('--name <name>', 'what uses the key')
    .requiredOption('--scopes <scopes>', `comma-separated: ${API_KEY_SCOPES.join(', ')}`, parseScopes)
    .option('--expires-in-days <days>', 'after which it no longer works; by default it works until it is revoked', wholeNumberParser(1))
    .action(async (workspaceId: string, asked: NewKey, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const body = { name: asked.name, scopes: asked.scopes, expires_in_days: asked.expiresInDays }
      const { partner_api_key, key } = await send(insights, createApiKey, { params: { workspace_id: workspaceId }, body })
      showOne(terminal, options, { key_id: key.id, partner_api_key, name: key.name, scopes: key.scopes, expires_at: key.expires_at })
      hint(terminal, 'Store partner_api_key now. It is not shown again.')
    })

  workspace
    .command('list-keys')
    .description('List the partner API keys, with those that expired in the last 30 days. The keys themselves are not stored.')
    .argument('<workspace_id>')
    .action(async (workspaceId: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const { keys } = await send(insights, getWorkspace, { params: { workspace_id: workspaceId } })
      showList(terminal, options, { keys }, 'keys', ['id', 'name', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'replaced'])
    })

  workspace
    .command('revoke-key')
    .description('Revoke a partner API key at once, with the embedded pages that were made with it.')
    .argument('<workspace_id>')
    .argument('<key_id>', 'see list-keys')
    .option('--yes', 'do not ask')
    .action(async (workspaceId: string, keyId: string, { yes }: { yes?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      await confirmDeletion(terminal, keyId, yes === true)
      await send(insights, revokeApiKey, { params: { workspace_id: workspaceId, key_id: keyId } })
      showOne(terminal, options, { workspace_id: workspaceId, key_id: keyId, revoked: true })
    })

  workspace
    .command('rotate-key')
    .description('Replace a partner API key. The previous one stays valid for a while.')
    .argument('<workspace_id>')
    .option('--key <key_id>', 'see list-keys; needed if the workspace has several keys')
    .option('--keep-previous-hours <hours>', 'how long the previous key stays valid', parseHours)
    .action(async (workspaceId: string, { key, keepPreviousHours }: { key?: string; keepPreviousHours?: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const body = { key_id: key, keep_previous_hours: keepPreviousHours }
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
    'onward workspace create-key acme --name "nightly report" --scopes usage --expires-in-days 365',
    'onward workspace rotate-key acme --keep-previous-hours 2',
    'onward workspace delete acme --force --dry-run',
    'onward workspace list --json',
  ])
}
