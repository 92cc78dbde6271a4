import { exportUser, type ResponseOf } from '@onward/contract'
import { send } from '@onward/contract-client'
import { writeJson } from '@onward/json'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseUserId } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { need, readSettings } from '../settings.ts'
import { type GlobalOptions, hint, type Terminal } from '../terminal.ts'

type Options = GlobalOptions & { readonly appKey?: string }

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
      hint(terminal, `${total} rows`)
    })
  addExamples(user, ['onward user export joe@example.com --app-key acme-crm > joe.ndjson'])
}

async function appKeyOf(terminal: Terminal, options: Options): Promise<string> {
  return options.appKey ?? need(await readSettings(terminal, options), 'app_key')
}
