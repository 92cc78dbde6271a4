import { VERSION } from '@onward/runtime'
import { daysAgo } from './insights.ts'
import { useInsights, useLink } from './use-insights.ts'

type System = {
  parts: { name: string; status: string; detail: string }[]
  figures: { name: string; value: number | null; since: string | null }[]
  partitions: { name: string; from: string; until: string; rows_estimate: number | null }[]
}
const figuresOf = ({ figures }: System) => Object.fromEntries(figures.map(({ name, value }) => [name, value]))

describe('GET /admin/system', () => {
  const insights = useInsights()
  const read = async () => (await insights.admin.get('/admin/system').expect(200)).body

  it('shows the parts, the work that waits, and the partitions', async () => {
    const workspace = await insights.workspace()
    await insights.limitChangesApplied()
    await insights.consume(workspace.tasks('joe', 3, daysAgo(36)))
    const system = await read()
    expect(system).toMatchObject({ version: VERSION, started_at: expect.any(String), call_bodies: null })
    expect(system.parts).toEqual(
      ['postgres', 'queue'].map((name) => ({ name, status: expect.stringMatching(/up|slow/), detail: expect.any(String) })),
    )
    expect(figuresOf(system)).toMatchObject({ quarantine_entries: 3, limit_changes_pending: 0, deliveries_due: 0, hours_differing: 0 })
    expect(system.partitions.length).toBeGreaterThan(60)
    expect(system.partitions[0]).toEqual({
      name: expect.stringMatching(/^task_event_\d{8}$/),
      from: expect.any(String),
      until: expect.any(String),
      rows_estimate: null,
    })
  })
})

describe('GET /admin/system without Postgres', () => {
  const behind = useLink()

  it('says which part is down', async () => {
    behind.link.set({ kind: 'reset' })
    const system: System = (await behind.insights.admin.get('/admin/system').expect(200)).body
    expect(system.parts.map(({ name, status }) => [name, status])).toEqual([
      ['postgres', 'down'],
      ['queue', expect.stringMatching(/up|slow/)],
    ])
    expect(figuresOf(system)).toMatchObject({ quarantine_entries: null })
    behind.link.set({ kind: 'normal' })
  })
})
