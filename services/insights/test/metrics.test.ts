import { openDatabase, openLog, openMetrics } from '@onward/runtime'
import { openSuite } from '@onward/testbed'
import type { KyselyPlugin } from 'kysely'
import type { Tables } from '../src/db/tables.ts'
import { openGauges } from '../src/metrics.ts'

it('a scrape runs one query on pending deliveries, and the next scrape another one', async () => {
  const suite = await openSuite('insights')
  const db = openDatabase<Tables>(suite.databaseUrl, 4)
  try {
    let looks = 0
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind === 'RawNode' && node.sqlFragments.join('').includes('from delivery')) looks++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const metrics = openMetrics('insights')
    openGauges(metrics, db.withPlugin(counting), openLog('test', 'silent'))
    const text = await metrics.metrics()
    expect(text).toMatch(/^onward_insights_deliveries_due\{.*\} 0$/m)
    expect(text).toMatch(/^onward_insights_delivery_oldest_due_seconds\{.*\} 0$/m)
    expect(looks).toBe(1)
    await metrics.metrics()
    expect(looks).toBe(2)
  } finally {
    await db.destroy()
    await suite.close()
  }
})
