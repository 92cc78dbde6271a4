import { createHash } from 'node:crypto'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { UsageError } from './terminal.ts'

type UserMonth = { readonly month: string; readonly workspace_id: string; readonly app_key: string; readonly user_id: string }

/** The tasks of a user in a month that no earlier record has: those after the first `from`, up to `until`. */
export type UsageRecord = UserMonth & {
  /** The same whenever this record is sent. */
  readonly id: string
  readonly customer: string
  readonly from: number
  readonly until: number
  /** The time to which the billing system counts the tasks: the last second of the month, or now if the month has not ended. */
  readonly time: string
  /** When it was sent first. */
  readonly begun: string
}

type Result = { readonly id: string; readonly result: 'sent' | 'refused' }
type Line = { readonly system: string } | UsageRecord | Result

/**
 * A file of what was sent to one billing system. A record is written before it is sent, and its result after that, so that a run that
 * follows a crash sends the same record again, and nothing twice.
 */
export type UsageJournal = {
  /** Returns how many tasks were sent, and the record whose result is not known. */
  stateOf(user: UserMonth): { readonly sent: number; readonly pending: UsageRecord | undefined }
  /** Stores a new record, on the disk, before it is sent. */
  begin(record: Omit<UsageRecord, 'id' | 'time' | 'begun'>, now: Date): Promise<UsageRecord>
  finish(id: string, result: Result['result']): Promise<void>
  close(): Promise<void>
}

/** Opens or creates a journal. Throws a UsageError if another run uses it, or if it belongs to another billing system. */
export async function openUsageJournal(path: string, system: string): Promise<UsageJournal> {
  await lock(path)
  try {
    const text = await readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
      if (err.code === 'ENOENT') return ''
      throw err
    })
    const lines = parse(path, text)
    const [head] = lines
    if (head !== undefined && !('system' in head && head.system === system)) {
      throw new UsageError(`${path} is not a journal of records for ${system}`)
    }
    return await openFrom(path, system, text, lines)
  } catch (err) {
    await rm(`${path}.lock`, { force: true })
    throw err
  }
}

async function openFrom(path: string, system: string, text: string, lines: readonly Line[]): Promise<UsageJournal> {
  const records = new Map<string, UsageRecord>()
  const sent = new Map<string, number>()
  const pending = new Map<string, UsageRecord>()
  for (const line of lines) apply(line)
  const file = await open(path, 'a', 0o600)
  // A line without its end was cut by a crash.
  const start = text === '' ? `${JSON.stringify({ system })}\n` : text.endsWith('\n') ? '' : '\n'
  if (start !== '') await file.appendFile(start)

  function apply(line: Line): void {
    if ('system' in line) return
    if ('begun' in line) {
      records.set(line.id, line)
      pending.set(keyOf(line), line)
      return
    }
    const record = records.get(line.id)
    if (record === undefined) return
    if (line.result === 'sent') sent.set(keyOf(record), record.until)
    pending.delete(keyOf(record))
  }

  let written: Promise<void> = Promise.resolve()
  async function write(line: UsageRecord | Result): Promise<void> {
    // One at a time: lines that are written together could mix.
    written = written.then(async () => {
      await file.appendFile(`${JSON.stringify(line)}\n`)
      await file.datasync()
    })
    await written
    apply(line)
  }

  return {
    stateOf: (user) => ({ sent: sent.get(keyOf(user)) ?? 0, pending: pending.get(keyOf(user)) }),
    async begin({ month, workspace_id, app_key, user_id, customer, from, until }, now) {
      const [year = 0, of = 0] = month.split('-').map(Number)
      const time = new Date(Math.min(Date.UTC(year, of) - 1_000, now.getTime())).toISOString()
      const user = { month, workspace_id, app_key, user_id }
      const hash = createHash('sha256')
        .update(JSON.stringify([keyOf(user), from, until]))
        .digest('hex')
      const record = { id: `onward-${hash}`, ...user, customer, from, until, time, begun: now.toISOString() }
      await write(record)
      return record
    },
    finish: (id, result) => write({ id, result }),
    async close() {
      await file.close()
      await rm(`${path}.lock`, { force: true })
    },
  }
}

const keyOf = ({ month, workspace_id, app_key, user_id }: UserMonth) => JSON.stringify([month, workspace_id, app_key, user_id])

function parse(path: string, text: string): Line[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      // A crash cuts a line that was being written, so its record was not sent.
      if (!line.endsWith('}')) return []
      throw new UsageError(`${path} has a line that is not JSON: restore the journal from a backup`)
    }
  })
}

/** Two runs at the same time could send overlapping records. The lock of a process that has ended does not count. */
async function lock(path: string): Promise<void> {
  const file = `${path}.lock`
  const holder = Number(await readFile(file, 'utf8').catch(() => '0'))
  if (holder > 0 && isRunning(holder)) throw new UsageError(`process ${holder} uses ${path}; wait until it has ended`)
  await rm(file, { force: true })
  await writeFile(file, String(process.pid), { flag: 'wx' })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}
