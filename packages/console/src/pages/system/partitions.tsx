import type { ReactNode } from 'react'
import { formatCompact, formatCount } from '../../text/format.ts'
import { Num } from '../../ui/number.tsx'
import { Card } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import styles from './system.module.css'
import type { ServiceName, ServiceState } from './types.ts'
import { TEXT } from './words.ts'

type Partition = ServiceState['partitions'][number]
const TEXTS = TEXT.partitions

/** The partitions of the largest table of each service, folded, because there are dozens. */
export function Partitions(of: Readonly<Record<ServiceName, readonly Partition[] | undefined>>): ReactNode {
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      {(['functions', 'insights'] as const).map((name) => {
        const partitions = of[name]
        return partitions !== undefined && <Folded key={name} title={TEXTS.of[name]} partitions={partitions} />
      })}
    </Group>
  )
}

function Folded({ title, partitions }: { title: string; partitions: readonly Partition[] }): ReactNode {
  if (partitions.length === 0) return <p>{TEXTS.none}</p>
  const rows = partitions.reduce((sum, { rows_estimate: each }) => sum + (each ?? 0), 0)
  const count = formatCount(partitions.length, TEXTS.count.one, TEXTS.count.other)
  return (
    <Card padded={false}>
      <details className={styles.folded}>
        <summary>
          <strong>{title}</strong> <span className={styles.muted}>{TEXTS.summary(count, formatCompact(rows))}</span>
        </summary>
        <Table sortable caption={title} columns={COLUMNS} rows={partitions} rowKey={({ name }) => name} />
      </details>
    </Card>
  )
}

const COLUMNS: readonly Column<Partition>[] = [
  { id: 'name', head: TEXTS.name, width: 'grow', phone: 'title', sort: ({ name }) => name, cell: ({ name }) => <code>{name}</code> },
  timeColumn({ id: 'from', head: TEXTS.from, phone: 'named', as: 'short', at: ({ from }) => from }),
  timeColumn({ id: 'until', head: TEXTS.until, phone: 'named', as: 'short', at: ({ until }) => until }),
  {
    id: 'rows_estimate',
    head: TEXTS.rows,
    width: 140,
    align: 'end',
    phone: 'named',
    sort: ({ rows_estimate: rows }) => rows,
    cell: ({ rows_estimate: rows }) => <Num value={rows} />,
  },
]
