import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, deleteUser, exportUser, type ResponseOf } from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { writeJson } from '@onward/json'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseUserId } from '../arguments.ts'
import { bothServices } from '../delete-application.ts'
import { addExamples } from '../examples.ts'
import { confirmDeletion } from '../prompt.ts'
import { need, readSettings } from '../settings.ts'
import { type GlobalOptions, hint, showOne, type Terminal } from '../terminal.ts'

type Options = GlobalOptions & { readonly appKey?: string }

const WAITS = {
  calls: 'waiting until calls of the user end',
  events: 'waiting until insights has confirmed the events of the user',
} as const
const WAIT_MS = 500

export function addUserCommands(user: Command, terminal: Terminal): void {
  user
    .command('export')
    .description('Print everything that both services store about a user, without secrets: each line is a JSON document.')
    .argument('<user_id>', 'User-ID of the user', parseUserId)
    .option('--app-key <app_key>', 'application of the user; by default the application of the profile')
    .action(async (userId: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const appKey = await appKeyOf(terminal, options)
      let total = 0
      for (const service of ['functions', 'insights'] as const) {
        const target = await adminOf(service, terminal, options)
        let cursor: string | undefined
        do {
          const asked = { params: { app_key: appKey }, query: { user_id: userId, _cursor: cursor } }
          const page: ResponseOf<typeof exportUser> = await send(target, exportUser, asked)
          for (const row of page.rows) terminal.stdout.write(`${writeJson({ service, ...row })}\n`)
          total += page.rows.length
          cursor = page._cursor ?? undefined
        } while (cursor !== undefined)
      }
      hint(terminal, total === 0 ? 'nothing is stored about this user' : `${total} rows`)
    })

  user
    .command('delete')
    .description(
      'Delete everything that both services store about a user, and revoke the access of accounts. Counts stay under a pseudonym. If it ' +
        'is interrupted, run it again.',
    )
    .argument('<user_id>', 'User-ID of the user, for whom the application sends no more requests', parseUserId)
    .option('--app-key <app_key>', 'application of the user; by default the application of the profile')
    .option('--yes', 'do not ask')
    .action(async (userId: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options & { readonly yes?: true }>()
      const appKey = await appKeyOf(terminal, options)
      const { functions, insights } = await bothServices(terminal, options)
      await confirmDeletion(terminal, userId, options.yes ?? false)
      const user = { appKey, userId }
      // Functions comes again: while insights still had the user, it could send the limit state to functions.
      const parts = [
        await deleteIn(functions, user, terminal),
        await deleteIn(insights, user, terminal),
        await deleteIn(functions, user, terminal),
      ]
      const sum = (name: 'rows' | 'not_revoked') => parts.reduce((total, part) => total + part[name], 0)
      showOne(terminal, options, { pseudonym: parts[0]?.pseudonym, rows: sum('rows'), not_revoked: sum('not_revoked') })
      if (sum('not_revoked') > 0) hint(terminal, 'Some apps did not revoke the access of accounts. The user can end it at these apps.')
    })
  addExamples(user, [
    'onward user export joe@example.com --app-key acme-crm > joe.ndjson',
    'onward user delete joe@example.com --app-key acme-crm --yes',
  ])
}

async function appKeyOf(terminal: Terminal, options: Options): Promise<string> {
  return options.appKey ?? need(await readSettings(terminal, options), 'app_key')
}

/** Deletes a user in one service. Waits while calls of the user run, or while insights has not confirmed their tasks. */
async function deleteIn(
  service: Target,
  { appKey, userId }: { readonly appKey: string; readonly userId: string },
  terminal: Terminal,
): Promise<{ pseudonym: string; rows: number; not_revoked: number }> {
  let rows = 0
  let not_revoked = 0
  let waitsFor: keyof typeof WAITS | null = null
  let cursor: string | null = null
  for (;;) {
    const input: Body<typeof deleteUser> = { user_id: userId, _cursor: cursor }
    const page: ResponseOf<typeof deleteUser> = await send(service, deleteUser, { params: { app_key: appKey }, body: input })
    rows += Object.values(page.changed).reduce<number>((sum, changed) => sum + Number(changed), 0)
    not_revoked += page.not_revoked
    if (page.complete) return { pseudonym: page.pseudonym, rows, not_revoked }
    if (page.waits_for !== null && page.waits_for !== waitsFor) hint(terminal, WAITS[page.waits_for])
    if (page.waits_for !== null) await sleep(WAIT_MS)
    waitsFor = page.waits_for
    cursor = page._cursor
  }
}
