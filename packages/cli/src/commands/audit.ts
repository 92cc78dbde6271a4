import { type AuditEntry, auditOutcomeFilters, type Query, type ResponseOf, readAudit } from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { writeJson } from '@onward/json'
import { type Command, Option } from 'commander'
import { adminOf, ownWorkspace } from '../admin.ts'
import { timeParser, wholeNumberParser } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showList, type Terminal } from '../terminal.ts'

type Filters = {
  readonly service?: (typeof SERVICES)[number]
  readonly workspace?: string
  readonly actor?: string
  readonly action?: string
  readonly outcome?: (typeof auditOutcomeFilters)[number]
  readonly since?: string
  readonly until?: string
}

type Entry = { readonly service: string } & AuditEntry

const SERVICES = ['functions', 'insights'] as const
const COLUMNS = ['at', 'service', 'actor', 'workspace_id', 'action', 'target', 'outcome', 'code', 'id']
const MAX_PAGE = 200

export function addAuditCommands(audit: Command, terminal: Terminal): void {
  addFilters(audit.command('list'), terminal)
    .description('List changes and denied attempts, newest first.')
    .option('--limit <n>', 'maximum number of entries', wholeNumberParser(1), 50)
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & Filters>()
      const entries: Entry[] = []
      for await (const entry of readEntries(terminal, options, Math.min(limit, MAX_PAGE))) {
        entries.push(entry)
        if (entries.length === limit) break
      }
      const rows = options.json ? entries : entries.map((entry) => ({ ...entry, actor: entry.actor.name }))
      showList(terminal, options, { entries: rows }, 'entries', COLUMNS)
    })

  addFilters(audit.command('export'), terminal)
    .description('Print all entries, newest first, for a log store: each line is a JSON document.')
    .action(async (_: unknown, command: Command) => {
      for await (const entry of readEntries(terminal, command.optsWithGlobals<GlobalOptions & Filters>(), MAX_PAGE))
        terminal.stdout.write(`${writeJson(entry)}\n`)
    })
  addExamples(audit, [
    'onward audit list --actor ann@example.com --since 7d',
    'onward audit export --since 2026-11-25 --until 2026-11-26 > audit-2026-11-25.ndjson',
  ])
}

function addFilters(command: Command, { now }: Terminal): Command {
  return command
    .addOption(new Option('--service <service>', 'only the log of this service').choices(SERVICES))
    .option('--workspace <workspace_id>', 'only entries of this workspace')
    .option('--actor <actor>', 'only entries of this actor, by id or name')
    .option('--action <action>', 'only entries of this action')
    .addOption(new Option('--outcome <outcome>', 'only entries with this outcome').choices(auditOutcomeFilters))
    .option('--since <time>', 'from this time on: ISO 8601, or an age such as 15m, 2h or 3d', timeParser(now))
    .option('--until <time>', 'before this time', timeParser(now))
}

/** Reads the logs of both services, merged, newest first. The ids are UUIDv7, so they sort by time. */
async function* readEntries(terminal: Terminal, options: GlobalOptions & Filters, pageSize: number): AsyncGenerator<Entry, undefined> {
  const { workspace: workspace_id = await ownWorkspace(terminal, options), actor, action, outcome, since, until } = options
  const query = { workspace_id, actor, action, outcome, since, until, page_size: pageSize }
  const services = options.service === undefined ? SERVICES : [options.service]
  const logs = services.map(async (service) => {
    const log = readLog(service, await adminOf(service, terminal, options), query)
    return { log, next: (await log.next()).value }
  })
  const sources = await Promise.all(logs)
  for (;;) {
    const [newest] = sources.toSorted((a, b) => ((a.next?.id ?? '') > (b.next?.id ?? '') ? -1 : 1))
    if (newest?.next === undefined) return
    yield newest.next
    newest.next = (await newest.log.next()).value
  }
}

async function* readLog(service: string, target: Target, query: Query<typeof readAudit>): AsyncGenerator<Entry, undefined> {
  let cursor: string | undefined
  do {
    const page: ResponseOf<typeof readAudit> = await send(target, readAudit, { query: { ...query, _cursor: cursor } })
    for (const entry of page.entries) yield { service, ...entry }
    cursor = page._cursor ?? undefined
  } while (cursor !== undefined)
}
