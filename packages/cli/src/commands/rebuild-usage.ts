import { send } from '@onward/client'
import { rebuildUsage } from '@onward/contract'
import type { Command } from 'commander'
import { hint, showOne } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

type Options = { readonly appKey?: string; readonly dryRun?: boolean }

/** A page looks through all events once. */
const PAGE_TIMEOUT_MS = 120_000

export function addRebuildUsageCommand(program: Command, terminal: Terminal): void {
  program
    .command('rebuild-usage')
    .description(
      'Compare what users consumed with their task events, and put right what differs. Windows are compared whose events are all kept.',
    )
    .option('--app-key <app_key>', 'only users of this application')
    .option('--dry-run', 'compare only; exit code 1 when something differs')
    .action(async ({ appKey, dryRun = false }: Options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const total = { users: 0, windows: 0, days: 0, differing: 0, corrected: 0 }
      let cursor: string | null = null
      do {
        const body: { app_key?: string; dry_run: boolean; _cursor: string | null } = { app_key: appKey, dry_run: dryRun, _cursor: cursor }
        const page: typeof total & { _cursor: string | null } = await send(insights, rebuildUsage, { body, timeoutMs: PAGE_TIMEOUT_MS })
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += page[name]
        cursor = page._cursor
        if (cursor !== null) hint(terminal, `${total.users} users, ${total.differing} differing`)
      } while (cursor !== null)
      showOne(terminal, options, total)
      if (dryRun && total.differing > 0) throw new Error(`${total.differing} windows and days differ from their events`)
    })
}
