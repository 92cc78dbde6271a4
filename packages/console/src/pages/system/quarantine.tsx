import { ListChecks, ShieldCheck, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { dropQuarantined, listQuarantine } from '../../api/endpoints.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { toast } from '../../api/toasts.ts'
import { defineAddress, isUnfiltered } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useAddress } from '../../list/use-address.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { PageHead } from '../../ui/page.tsx'
import { SystemTabs } from './head.tsx'
import { JobView } from './job-view.tsx'
import { COLUMNS, type Entry } from './quarantine-columns.tsx'
import { EntryPanel } from './quarantine-panel.tsx'
import { type Counted, countAll, countSome } from './quarantine-work.ts'
import { useJob } from './use-job.ts'
import { TEXT } from './words.ts'

type DropProps = { rows: readonly Entry[]; onClose(): void; onDone(removed: number): void }

const TEXTS = TEXT.quarantine

// Not `app_key`, which is the application filter of the top bar.
const ADDRESS = defineAddress({
  reason: { kind: 'text', label: TEXTS.reason, placeholder: TEXTS.search, search: true },
  application: { kind: 'text', label: TEXTS.application },
})
type Values = ReturnType<typeof ADDRESS.parse>

const rowKey = ({ id }: Entry) => String(id)
const queryOf = ({ reason, application }: Values) => ({ reason, app_key: application })
const entriesOf = (count: number) => formatCount(count, TEXTS.entry.one, TEXTS.entry.other)

/** What could not be counted. Counts it again: some entries, or all that match the filters. */
export function Quarantine(): ReactNode {
  const refreshList = useRefreshList()
  const { values } = useAddress(ADDRESS, 'entry')
  const job = useJob<Counted>()
  const [dropping, setDropping] = useState<readonly Entry[] | undefined>(undefined)
  const busy = job.state === 'running'
  const count = async (rows: readonly Entry[] | undefined) => {
    await job.start(rows === undefined ? countAll(queryOf(values)) : countSome(rows.map(({ id }) => id)))
    refreshList('quarantine')
  }
  const list: ListOf<Entry, Values> = {
    name: 'quarantine',
    scope: [],
    title: TEXTS.title,
    about: TEXTS.about,
    address: ADDRESS,
    columns: COLUMNS,
    rowKey,
    async load(filters, cursor, signal) {
      const query = { ...queryOf(filters), page_size: 50, _cursor: cursor ?? undefined }
      const { quarantined, _cursor } = await send(insights, listQuarantine, { query, signal })
      return { rows: quarantined, next: _cursor }
    },
    panelParameter: 'entry',
    panel: (_, row) => <EntryPanel row={row} busy={busy} onCount={(rows) => void count(rows)} onDrop={setDropping} />,
    panelTitle: (key) => TEXTS.panel(key),
    empty: { icon: <ShieldCheck />, title: TEXTS.empty, help: TEXTS.emptyHelp },
    actions: [
      { label: TEXTS.count, icon: <ListChecks />, run: (rows) => void count(rows) },
      { label: TEXTS.drop, icon: <Trash2 />, tone: 'bad', run: setDropping },
    ],
  }
  const all = isUnfiltered(ADDRESS, values) ? TEXTS.countAll : TEXTS.countMatching
  const actions = (
    <Button icon={<ListChecks />} busy={busy} title={TEXTS.countHelp} onClick={() => void count(undefined)}>
      {all}
    </Button>
  )
  return (
    <>
      <ListPage
        list={list}
        head={
          <>
            <PageHead title={TEXTS.title} about={TEXTS.about} tabs={<SystemTabs />} actions={actions} />
            <JobView job={job} label={TEXTS.started} progress={progressOf}>
              {({ counted, repeated, refused }) => (
                <Notice tone={refused === 0 ? 'good' : 'warn'}>
                  {TEXTS.result(formatNumber(counted), formatNumber(repeated), formatNumber(refused))}
                </Notice>
              )}
            </JobView>
          </>
        }
      />
      {dropping !== undefined && (
        <DropEntries
          rows={dropping}
          onClose={() => setDropping(undefined)}
          onDone={(removed) => {
            toast(TEXTS.dropped(entriesOf(removed)))
            refreshList('quarantine')
          }}
        />
      )}
    </>
  )
}

function progressOf({ counted, repeated, refused }: Counted) {
  const done = counted + repeated + refused
  return { text: TEXTS.progress(entriesOf(done)), done }
}

/** Removes entries without counting them, after asking. */
function DropEntries({ rows, onClose, onDone }: DropProps): ReactNode {
  const [error, setError] = useState<string | undefined>(undefined)
  const remove = async () => {
    let removed = 0
    try {
      for (const { id } of rows) {
        await send(insights, dropQuarantined, { params: { id: String(id) } }).catch(ignoreGone)
        removed++
      }
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      setError(err.message)
    }
    if (removed > 0) onDone(removed)
    return removed === rows.length
  }
  return (
    <Confirm
      open
      title={TEXTS.dropTitle(formatCount(rows.length, TEXTS.entry.one, TEXTS.entry.other))}
      names={TEXTS.dropNames}
      loses={TEXTS.dropLoses(formatCount(rows.length, TEXTS.task.one, TEXTS.task.other))}
      action={TEXTS.drop}
      run={remove}
      onClose={onClose}
      error={error}
    />
  )
}

/** Another operator may have removed the entry, or it was counted. */
function ignoreGone(err: unknown): void {
  if (!(err instanceof OnwardError && err.status === 404)) throw err
}
