import { Play } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { lastDayByKey } from '../../parts/last-day.ts'
import { functionPath, PageLink } from '../../shell/links.tsx'
import { formatNumber } from '../../text/format.ts'
import { Tag } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Choice, Input } from '../../ui/field.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from './catalog.module.css'
import { HealthSpark } from './health-spark.tsx'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { functions: words } = CATALOG
/** An imported app can have thousands of functions. */
const FIRST = 100

type Fn = AppDetail['functions'][number]
type Hours = Parameters<typeof lastDayByKey>[0]
const KINDS = ['all', 'QUERY', 'ACTION', 'destructive'] as const
type Kind = (typeof KINDS)[number]

/** The functions of an app, with the health of each and the way to try it. */
export function Functions({ app, hours }: { app: AppDetail; hours: Hours }): ReactNode {
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const [all, setAll] = useState(false)
  const health = useMemo(() => lastDayByKey(hours, new Date()), [hours])
  const found = app.functions.filter((fn) => isFound(fn, search.trim().toLowerCase(), kind))
  const shown = all ? found : found.slice(0, FIRST)
  const texts = { all: words.all, ...words.types, destructive: words.destructive }
  const columns: readonly Column<Fn>[] = [
    {
      id: 'name',
      head: words.columns.name,
      width: 'grow',
      phone: 'title',
      sort: ({ title }) => title,
      cell: (fn) => (
        <span className={styles.fn}>
          <span className={styles.fnTitle}>
            <PageLink page="catalog" path={functionPath(app.name, fn.name)}>
              {fn.title}
            </PageLink>{' '}
            <code>{fn.name}</code>
          </span>
          <span className={styles.fnAbout} title={fn.description}>
            {fn.description}
          </span>
        </span>
      ),
    },
    {
      id: 'type',
      head: words.columns.type,
      width: 190,
      phone: 'line',
      sort: ({ type, destructive }) => `${type} ${destructive}`,
      cell: ({ type, destructive }) => (
        <span className={styles.kinds}>
          <Tag>{words.types[type]}</Tag>
          {destructive && <Tag bad>{words.destructive}</Tag>}
        </span>
      ),
    },
    {
      id: 'calls',
      head: words.columns.calls,
      width: 190,
      phone: 'hide',
      sort: ({ name }) => health.get(name)?.allCalls ?? 0,
      cell: ({ name }) => <HealthSpark health={health.get(name)} />,
    },
  ]
  return (
    <Group
      title={words.title}
      about={
        found.length === app.functions.length ? undefined : words.shown(formatNumber(found.length), formatNumber(app.functions.length))
      }
      actions={
        <div className={styles.tools}>
          <Choice
            label={words.type}
            value={kind}
            choices={KINDS.map((value) => ({ value, label: texts[value] }))}
            onChange={(value) => setKind(value)}
          />
          <Input
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      }
    >
      <div className={styles.functions}>
        <Table
          caption={words.title}
          columns={columns}
          rows={shown}
          sortable={shown.length === found.length}
          rowKey={({ name }) => name}
          empty={{ title: words.none, help: words.noneHelp }}
          actions={({ name }) => (
            <PageLink
              page="playground"
              search={{ function: name }}
              className={buttonClass('plain', 'small')}
              aria-label={words.tryOf(name)}
            >
              <Play aria-hidden="true" />
              {words.try}
            </PageLink>
          )}
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

function isFound({ name, title, description, type, destructive }: Fn, text: string, kind: Kind): boolean {
  if (kind === 'destructive' ? !destructive : kind !== 'all' && type !== kind) return false
  return `${name}\n${title}\n${description}`.toLowerCase().includes(text)
}
