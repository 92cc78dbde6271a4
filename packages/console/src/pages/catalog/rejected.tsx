import type { ReactNode } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from './catalog.module.css'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { rejected: words } = CATALOG
type Row = AppDetail['rejected'][number]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'function',
    head: words.function,
    width: 320,
    phone: 'title',
    cell: ({ function: name }) => <code>{name}</code>,
    text: ({ function: name }) => name,
  },
  {
    id: 'problems',
    head: words.problems,
    width: 'grow',
    phone: 'line',
    cell: ({ problems }) => (
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    ),
    text: ({ problems }) => problems.join('; '),
  },
]

/** The functions that are left out of the catalog, with the reasons. */
export function Rejected({ app }: { app: AppDetail }): ReactNode {
  if (app.rejected.length === 0) return <Empty title={words.none} help={words.noneHelp} />
  return (
    <Group title={words.title} about={words.about}>
      <Table caption={words.title} columns={COLUMNS} rows={app.rejected} rowKey={({ function: name }) => name} />
    </Group>
  )
}
