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

it('a gauge that cannot be read has no samples', async () => {
  const suite = await openSuite('insights')
  try {
    const db = openDatabase<Tables>(suite.databaseUrl, 1)
    const metrics = openMetrics('insights')
    openGauges(metrics, db, openLog('test', 'silent'))
    const names = ['onward_insights_quarantine_rows', 'onward_insights_table_bytes', 'onward_insights_partitions']
    const measured = async () => {
      const text = await metrics.metrics()
      return names.filter((name) => new RegExp(`^${name}\\{`, 'm').test(text))
    }
    expect(await measured()).toEqual(names)
    await db.destroy()
    expect(await measured()).toEqual([])
  } finally {
    await suite.close()
  }
})
