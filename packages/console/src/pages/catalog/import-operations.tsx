import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Checkbox, Choice, Input } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from './import.module.css'
import { type Filter, filtered, isChoosable } from './import-state.ts'
import { IMPORT } from './import-words.ts'
import type { Operation } from './types.ts'
import { CATALOG } from './words.ts'

const { review: words } = IMPORT
const FIRST = 100
const TONES: Readonly<Record<Operation['outcome'], BadgeTone>> = { kept: 'good', changed: 'warn', skipped: 'neutral' }

type OperationsProps = { operations: readonly Operation[]; chosen: ReadonlySet<string>; onChoose(chosen: ReadonlySet<string>): void }

/** The operations of a document, with what became of each and why. */
export function ImportOperations({ operations, chosen, onChoose }: OperationsProps): ReactNode {
  const [filter, setFilter] = useState<Filter>('all')
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const found = filtered(operations, filter, search)
  const shown = all ? found : found.slice(0, FIRST)
  const set = (names: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const name of names) {
      if (on) next.add(name)
      else next.delete(name)
    }
    onChoose(next)
  }
  const choosable = found.filter(isChoosable).map(({ operation }) => operation)
  return (
    <Group
      title={words.operations}
      about={words.operationsAbout}
      actions={
        <Row gap={2}>
          <Choice
            label={words.filter}
            value={filter}
            choices={(Object.keys(words.filters) as Filter[]).map((value) => ({ value, label: words.filters[value] }))}
            onChange={(value) => setFilter(value)}
          />
          <Input
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </Row>
      }
    >
      <div className={styles.buttons}>
        <Button size="small" onClick={() => set(choosable, true)}>
          {words.chooseAll}
        </Button>
        <Button size="small" onClick={() => set(choosable, false)}>
          {words.chooseNone}
        </Button>
      </div>
      <div className={styles.operations}>
        <Table
          caption={words.operations}
          columns={columnsOf(chosen, set)}
          rows={shown}
          rowKey={({ operation }) => operation}
          empty={{ title: words.none, help: words.noneHelp }}
        />
      </div>
      {shown.length < found.length && (
        <div>
          <Button onClick={() => setAll(true)}>{words.more(formatNumber(found.length))}</Button>
        </div>
      )}
    </Group>
  )
}

function columnsOf(chosen: ReadonlySet<string>, set: (names: readonly string[], on: boolean) => void): readonly Column<Operation>[] {
  const { columns } = words
  return [
    {
      id: 'operation',
      head: columns.operation,
      width: 'grow',
      phone: 'title',
      cell: (one) => (
        <Checkbox
          disabled={!isChoosable(one)}
          checked={chosen.has(one.operation)}
          onChange={(event) => set([one.operation], event.target.checked)}
          label={
            <span className={styles.operation}>
              <span>
                <code className={styles.method}>{one.method}</code> <code>{one.path}</code>
              </span>
              <span className={styles.note}>
                {one.title}
                {one.line !== null && ` · ${words.line(formatNumber(one.line))}`}
              </span>
            </span>
          }
        />
      ),
    },
    {
      id: 'function',
      head: columns.fn,
      width: 270,
      phone: 'line',
      cell: (one) => (
        <span className={styles.operation}>
          <code>{one.function}</code>
          <span className={styles.note}>
            {CATALOG.functions.types[one.type]}
            {one.destructive && <span className={styles.destructive}> · {words.destructive}</span>}
            {one.update !== null && ` · ${words.updates[one.update]}`}
          </span>
        </span>
      ),
    },
    {
      id: 'outcome',
      head: columns.outcome,
      width: 300,
      phone: 'line',
      cell: ({ outcome, reasons }) => (
        <span className={cx(styles.operation, styles.outcome)}>
          <Badge tone={TONES[outcome]} text={words.outcomes[outcome]} />
          {reasons.map((reason) => (
            <span key={reason} className={styles.note}>
              {reason}
            </span>
          ))}
        </span>
      ),
    },
  ]
}
