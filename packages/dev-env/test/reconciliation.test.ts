import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callFunction, getUserTasks, rebuildUsage } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import { type Functions, openBothAreas } from './both-areas.ts'
import { inDatabase } from './in-database.ts'

const CALLS = 12
/** A machine under load takes long for a comparison. */
const LONG_MS = 90_000
jest.setTimeout(4 * LONG_MS)

let both: Awaited<ReturnType<typeof openBothAreas>>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  // Both services append to the same file.
  both = await openBothAreas(2, { RECONCILE_EVERY_MS: '500', LOG_LEVEL: 'info', LOG_FILE: join(folder, 'log') })
  const call = { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } }
  for (let i = 0; i < CALLS; i++) await send(both.clientOf(both.functions[i % 2] as Functions), callFunction, call)
  await eventually(async () => expect(await consumed()).toBe(CALLS))
})

afterAll(async () => {
  await both.close()
  await rm(folder, { recursive: true })
})

const consumed = async () =>
  (await send(both.partner, getUserTasks, { params: { id: both.userId }, query: { app_key: 'ak' } })).tasks_consumed
const rebuild = async (dry_run: boolean) => await send(both.insightsAdmin, rebuildUsage, { body: { dry_run } })

/** Returns the sum of a metric over processes. */
async function metric(name: string, processes: readonly { internalUrl: string }[]): Promise<number> {
  const texts = await Promise.all(processes.map(async ({ internalUrl }) => await (await fetch(`${internalUrl}/metrics`)).text()))
  return texts.reduce((sum, text) => sum + Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(text)?.[1]), 0)
}
const differing = async () => await metric('onward_insights_hours_differing', [both.insights])
const resent = async () => await metric('onward_functions_tasks_resent_total', both.functions)
const logged = async (text: string) => (await readFile(join(folder, 'log'), 'utf8')).split('\n').filter((line) => line.includes(text))

describe('the automatic reconciliation', () => {
  it('counts tasks again that insights lost in a failover, in the current hour too', async () => {
    await inDatabase(both.insightsDatabaseUrl, 'delete from task_event where id in (select id from task_event order by id desc limit 5)')
    await rebuild(false)
    // The row of a server that was replaced has another start time.
    await inDatabase(both.insightsDatabaseUrl, "update reconciliation set server_started_at = '2026-01-01'")
    await eventually(async () => expect(await consumed()).toBe(CALLS), LONG_MS)
    await eventually(async () => {
      expect(await logged('asking functions to send them again')).not.toEqual([])
      expect(await logged('sent the tasks of some hours to insights again')).not.toEqual([])
      expect(await logged('are repaired')).not.toEqual([])
      expect(await logged('functions and insights have the same tasks')).not.toEqual([])
    }, LONG_MS)
    expect(await differing()).toBe(0)
    expect(await resent()).toBeGreaterThanOrEqual(5)
    expect(await rebuild(true)).toMatchObject({ differing: 0 })
  })

  it('reports tasks that functions lost, and does not send their hour again and again', async () => {
    const before = await resent()
    await inDatabase(
      both.functionsDatabaseUrl,
      'delete from call_log where call_id in (select call_id from call_log order by call_id desc limit 2)',
    )
    const failed = async () => (await logged('still have different tasks')).length
    // At this interval, two comparisons can request the hour before it is sent.
    await eventually(async () => expect(await failed()).toBeGreaterThan(2), LONG_MS)
    expect(await differing()).toBeGreaterThan(0)
    const after = await resent()
    expect(after).toBeGreaterThan(before)
    const reports = await failed()
    await eventually(async () => expect(await failed()).toBeGreaterThan(reports + 2), LONG_MS)
    expect(await resent()).toBe(after)
    expect(await consumed()).toBe(CALLS)
  })
})
