import { dropQuarantined, listQuarantine, type ResponseOf, replayQuarantine } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { wholeNumberParser } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

const MAX_PAGE = 200

type Filters = { readonly appKey?: string; readonly reason?: string; readonly limit: number }
type Replayed = ResponseOf<typeof replayQuarantine>

export function addQuarantineCommands(quarantine: Command, terminal: Terminal): void {
  quarantine
    .command('list')
    .description('List quarantined task events, newest first.')
    .option('--app-key <app_key>', 'only events of this application')
    .option('--reason <text>', 'only events whose reason contains this text')
    .option('--limit <n>', 'maximum number of events', wholeNumberParser(1), 50)
    .action(async ({ appKey, reason, limit }: Filters, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      const quarantined: ResponseOf<typeof listQuarantine>['quarantined'] = []
      let cursor: string | undefined
      do {
        const query = { app_key: appKey, reason, page_size: Math.min(limit - quarantined.length, MAX_PAGE), _cursor: cursor }
        const page: ResponseOf<typeof listQuarantine> = await send(insights, listQuarantine, { query })
        quarantined.push(...page.quarantined)
        cursor = page._cursor ?? undefined
      } while (cursor !== undefined && quarantined.length < limit)
      showList(terminal, options, { quarantined }, 'quarantined', ['id', 'created_at', 'app_key', 'reason', 'event'])
    })

  quarantine
    .command('replay')
    .description('Try to count quarantined task events again. Events that are refused again stay, with the new reason.')
    .argument('[ids...]', 'ids from "quarantine list"')
    .option('--all', 'all quarantined events')
    .action(async (ids: string[], { all }: { all?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (ids.length > 0 && all) throw new UsageError('give ids or --all, not both')
      if (ids.length === 0 && !all) throw new UsageError('give the ids of events, or --all')
      const insights = await adminOf('insights', terminal, options)
      const total = { counted: 0, repeated: 0, refused: 0 }
      const add = (page: Replayed) => {
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += page[name]
        return page._cursor
      }
      const numbers = [...new Set(ids.map(wholeNumberParser(1)))]
      for (let start = 0; start < numbers.length; start += MAX_PAGE) {
        add(await send(insights, replayQuarantine, { body: { ids: numbers.slice(start, start + MAX_PAGE) } }))
      }
      let cursor: string | null | undefined = all ? undefined : null
      while (cursor !== null) cursor = add(await send(insights, replayQuarantine, { body: { _cursor: cursor } }))
      showOne(terminal, options, total)
    })

  quarantine
    .command('drop')
    .description('Delete quarantined task events. They are never counted.')
    .argument('<ids...>', 'ids from "quarantine list"')
    .action(async (ids: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      for (const id of ids) await send(insights, dropQuarantined, { params: { id } })
      showOne(terminal, options, { dropped: ids.length })
    })
  addExamples(quarantine, ['onward quarantine list --reason application --json', 'onward quarantine replay --all'])
}
