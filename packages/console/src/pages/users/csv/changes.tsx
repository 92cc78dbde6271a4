import { type ReactNode, useMemo, useRef, useState } from 'react'
import { VirtualRows } from '../../../list/virtual-rows.tsx'
import { formatNumber } from '../../../text/format.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { PHONE, useMedia } from '../../../ui/media.ts'
import { Stack } from '../../../ui/page.tsx'
import { Group } from '../../../ui/section.tsx'
import { type Sort, sortRows } from '../../../ui/sort.ts'
import type { Column } from '../../../ui/table.tsx'
import type { Preview } from '../preview-figures.tsx'
import { WORDS } from '../words.ts'
import styles from './csv.module.css'
import type { ReadLimits } from './read-limits.ts'

const { csv: words } = WORDS

type Kind = 'refused' | 'changed' | 'created' | 'unchanged'
/** What a line of the file does; a line that is left out has a `problem` and no limits. */
type Change = {
  readonly line: number
  readonly user: string
  readonly kind: Kind
  readonly before?: number | null
  readonly after?: number
  readonly problem?: string
}

const TONES: Readonly<Record<Kind, BadgeTone>> = { refused: 'bad', changed: 'accent', created: 'good', unchanged: 'neutral' }

const COLUMNS: readonly Column<Change>[] = [
  {
    id: 'line',
    head: words.line,
    width: 80,
    phone: 'named',
    cell: ({ line }) => <span className={styles.line}>{formatNumber(line)}</span>,
    sort: ({ line }) => line,
  },
  { id: 'user', head: words.user, width: 'grow', phone: 'title', text: ({ user }) => user },
  { id: 'limit', head: words.limit, width: 200, phone: 'line', text: limitText, sort: ({ after }) => after ?? null },
  {
    id: 'what',
    head: words.what,
    width: 360,
    phone: 'line',
    text: ({ kind, problem }) => problem ?? words.kinds[kind],
    cell: ({ kind, problem }) => <Badge tone={TONES[kind]} text={problem ?? words.kinds[kind]} />,
  },
]

/** Every line of a file: the limit that its user has, the limit that it sets, or why it is left out. */
export function Changes({ read, current }: { read: ReadLimits; current: Preview['current'] }): ReactNode {
  const scroll = useRef<HTMLDivElement>(null)
  const phone = useMedia(PHONE)
  const [sort, setSort] = useState<Sort | undefined>(undefined)
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const changes = useMemo(() => changesOf(read, current), [read, current])
  const rows = useMemo(
    () =>
      sortRows(
        changes.filter((each) => kind === 'all' || each.kind === kind),
        COLUMNS,
        sort,
      ),
    [changes, kind, sort],
  )
  const countOf = (name: Kind | 'all') => changes.filter((each) => name === 'all' || each.kind === name).length
  if (changes.length === 0) return null
  return (
    <Group title={words.changes}>
      <Stack gap={3}>
        {current.length === read.limits.length && (
          <div className={styles.kind}>
            <Field label={words.show}>
              <Select
                value={kind}
                onChange={(event) => setKind(event.target.value as Kind | 'all')}
                options={Object.entries(words.kinds).map(([name, text]) => [name, words.kind(text, countOf(name as Kind | 'all'))])}
              />
            </Field>
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it */}
        <div ref={scroll} className={styles.rows} tabIndex={0}>
          <VirtualRows
            label={words.changes}
            rows={rows}
            keys={rows.map(({ line }) => String(line))}
            columns={COLUMNS}
            phone={phone}
            scroll={scroll}
            top={0}
            complete
            sort={sort}
            onSort={setSort}
            active={undefined}
            open={undefined}
            onEnd={NOTHING}
            link={(_row, _key, _active, content) => content}
            selected={undefined}
            onSelect={NOTHING}
          />
        </div>
      </Stack>
    </Group>
  )
}

const NOTHING = () => {}

/** Returns what the lines of a file do, those that are left out first. */
function changesOf({ limits, lines, problems }: ReadLimits, current: Preview['current']): Change[] {
  const refused = problems.map(({ line, text, problem }): Change => ({ line, user: text, kind: 'refused', problem }))
  const set = current.map(({ is_new: isNew, limit: before }, at): Change => {
    const { user_id: user = '', allowed_tasks: after = 0 } = limits[at] ?? {}
    const kind = isNew ? 'created' : before === after ? 'unchanged' : 'changed'
    return { line: lines[at] ?? 0, user, kind, before, after }
  })
  return [...refused, ...set]
}

/** Returns the limit that a line sets, after the limit that it replaces. */
function limitText({ kind, before, after }: Change): string {
  if (after === undefined) return ''
  if (kind !== 'changed') return formatNumber(after)
  return `${before === null || before === undefined ? words.none : formatNumber(before)} → ${formatNumber(after)}`
}
