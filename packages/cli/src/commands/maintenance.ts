import { rebuildUsage, resealSecrets, runRetention } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showList, showOne, type Terminal } from '../terminal.ts'

type Options = { readonly appKey?: string; readonly dryRun?: boolean }

/** The service may read all task events for one page. */
const PAGE_TIMEOUT_MS = 120_000

export function addRebuildUsageCommand(rebuild: Command, terminal: Terminal): void {
  rebuild
    .option('--app-key <app_key>', 'only users of this application')
    .option('--dry-run', 'only compare; exit code 1 when something differs')
    .action(async ({ appKey, dryRun = false }: Options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const total = { users: 0, periods: 0, days: 0, differing: 0, corrected: 0 }
      let cursor: string | null = null
      do {
        const body: { app_key?: string; dry_run: boolean; _cursor: string | null } = { app_key: appKey, dry_run: dryRun, _cursor: cursor }
        const page: typeof total & { _cursor: string | null } = await send(insights, rebuildUsage, { body, timeoutMs: PAGE_TIMEOUT_MS })
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += page[name]
        cursor = page._cursor
        if (cursor !== null) hint(terminal, `${total.users} users, ${total.differing} differing`)
      } while (cursor !== null)
      showOne(terminal, options, total)
      if (dryRun && total.differing > 0) throw new Error(`${total.differing} periods and days differ from their task events`)
    })
  addExamples(rebuild, ['onward rebuild-usage --dry-run', 'onward rebuild-usage --app-key acme-crm --json'])
}

export function addRetentionCommands(retention: Command, terminal: Terminal): void {
  retention
    .command('run')
    .description('Create the due partitions and drop old ones in both services now. The services also do this every hour.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const changes: { service: string; change: string; table: string; rows?: number }[] = []
      for (const service of ['functions', 'insights'] as const) {
        const { made, dropped, deleted } = await send(await adminOf(service, terminal, options), runRetention)
        changes.push(...made.map((table) => ({ service, change: 'made', table })))
        changes.push(...dropped.map((table) => ({ service, change: 'dropped', table })))
        changes.push(...deleted.filter(({ rows }) => rows > 0).map(({ table, rows }) => ({ service, change: 'deleted rows', table, rows })))
      }
      showList(terminal, options, { changes }, 'changes', ['service', 'change', 'table', 'rows'])
    })
  addExamples(retention, ['onward retention run --json'])
}

export function addResealCommand(reseal: Command, terminal: Terminal): void {
  reseal.action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const services: { service: string; resealed: number }[] = []
    for (const service of ['functions', 'insights'] as const) {
      const admin = await adminOf(service, terminal, options)
      let total = 0
      for (let complete = false; !complete; ) {
        const page: { resealed: number; complete: boolean } = await send(admin, resealSecrets, { timeoutMs: PAGE_TIMEOUT_MS })
        total += page.resealed
        complete = page.complete
        if (!complete) hint(terminal, `${service}: ${total} secrets`)
      }
      services.push({ service, resealed: total })
    }
    showList(terminal, options, { services }, 'services', ['service', 'resealed'])
  })
  addExamples(reseal, ['onward reseal --json'])
}
