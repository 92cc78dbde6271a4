import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Progress } from '../ui/bar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Choice } from '../ui/field.tsx'
import { Facts, Stack } from '../ui/page.tsx'
import { usePreference } from '../ui/preference.ts'
import { EXPORT_CEILING, type ExportFormat, exportName, exportRows } from './export-rows.ts'
import { shown } from './filter-bar.tsx'
import type { ListOf } from './list-of.ts'

type State = { readonly kind: 'asks' } | { readonly kind: 'reads' | 'done' | 'cut' | 'failed'; readonly rows: number }

/** Says what is exported before it starts, shows how far it is, and stores the file. Closing it stops the export. */
export function ExportDialog<Row, V>({ list, values, onClose }: { list: ListOf<Row, V>; values: V; onClose(): void }): ReactNode {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [zone] = usePreference('zone')
  const [state, setState] = useState<State>({ kind: 'asks' })
  const stopper = useRef<AbortController>(undefined)
  useEffect(() => () => stopper.current?.abort(), [])
  const run = async () => {
    const stop = new AbortController()
    stopper.current = stop
    setState({ kind: 'reads', rows: 0 })
    try {
      const { parts, rows, cut } = await exportRows({
        columns: list.exported ?? list.columns,
        format,
        signal: stop.signal,
        load: (cursor, signal) => list.load(values, cursor, signal),
        onProgress: (count) => setState({ kind: 'reads', rows: count }),
      })
      store(
        new Blob([...parts], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }),
        exportName(list.name, format, new Date()),
      )
      setState({ kind: cut ? 'cut' : 'done', rows })
    } catch {
      setState(stop.signal.aborted ? { kind: 'asks' } : { kind: 'failed', rows: 0 })
    }
  }
  const reads = state.kind === 'reads'
  const over = state.kind === 'done' || state.kind === 'cut'
  const filters = Object.entries(list.address.print(values)).map(([name, value]) => {
    const field = list.address.fields[name]
    return field === undefined ? value : `${field.label}: ${shown(field, value, zone)}`
  })
  return (
    <Dialog
      open
      title={WORDS.exporting.title}
      onClose={onClose}
      footer={
        over ? (
          <Button tone="accent" onClick={onClose}>
            {WORDS.common.done}
          </Button>
        ) : (
          <>
            <Button onClick={reads ? () => stopper.current?.abort() : onClose}>{reads ? WORDS.exporting.stop : WORDS.common.cancel}</Button>
            <Button tone="accent" busy={reads} onClick={() => void run()}>
              {WORDS.exporting.start}
            </Button>
          </>
        )
      }
    >
      <Stack gap={4}>
        <p>{WORDS.exporting.about}</p>
        <Facts
          facts={[
            [WORDS.exporting.filters, filters.length === 0 ? WORDS.exporting.noFilters : filters.join(', ')],
            [WORDS.list.rows.other, WORDS.exporting.ceiling(formatNumber(EXPORT_CEILING))],
            [
              WORDS.exporting.format,
              <Choice<ExportFormat>
                key="format"
                label={WORDS.exporting.format}
                value={format}
                onChange={setFormat}
                choices={[
                  { value: 'csv', label: 'CSV' },
                  { value: 'jsonl', label: 'JSON lines' },
                ]}
              />,
            ],
          ]}
        />
        {reads && <Progress done={state.rows} label={WORDS.exporting.title} />}
        {reads && <p role="status">{WORDS.exporting.progress(formatNumber(state.rows))}</p>}
        {state.kind === 'done' && <Notice tone="good">{WORDS.exporting.done(formatNumber(state.rows))}</Notice>}
        {state.kind === 'cut' && <Notice tone="warn">{WORDS.exporting.cut(formatNumber(state.rows))}</Notice>}
        {state.kind === 'failed' && <Notice tone="bad">{WORDS.exporting.failed}</Notice>}
      </Stack>
    </Dialog>
  )
}

function store(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
