import { type ReactNode, useEffect, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { stopReconcile } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Num } from '../../ui/number.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { JobView } from './job-view.tsx'
import { type Run, reconcileWork, runningWork, type Span, spanOf } from './reconcile-work.ts'
import { useJob } from './use-job.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.reconcile
type Hours = keyof typeof TEXTS.periods
const HOURS: readonly Hours[] = ['48', '168', '720']

const hoursOf = (count: number) => formatCount(count, TEXTS.hour.one, TEXTS.hour.other)
const tasksOf = (count: number) => formatCount(count, TEXTS.tasks.one, TEXTS.tasks.other)

/** Compares the tasks of both services hour by hour, and sends again what insights lacks. */
export function Reconcile(): ReactNode {
  const [hours, setHours] = useState<Hours>('48')
  const job = useJob<Run>()
  const { start } = job
  const compare = (span: Span, again: readonly string[] = []) => void start(reconcileWork(span, again))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    // A failure changes nothing: the page can start a comparison without it.
    runningWork().then(
      (work) => work && start(work),
      () => {},
    )
  }, [])
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      <Row gap={3}>
        <Choice
          label={TEXTS.period}
          value={hours}
          choices={HOURS.map((value) => ({ value, label: TEXTS.periods[value] }))}
          onChange={(value) => setHours(value)}
        />
        <Button busy={job.state === 'running'} onClick={() => compare(spanOf(Number(hours), new Date()))}>
          {TEXTS.compare}
        </Button>
      </Row>
      <JobView job={{ ...job, stop: () => void stop() }} label={TEXTS.title} progress={progressOf} inService>
        {(run) => (
          <>
            {run.state === 'stopped' && <Notice tone="warn">{TEXT.job.stopped}</Notice>}
            {run.hours.some((each) => each.sent_again) && <p>{TEXTS.sent(tasksOf(run.tasks_sent))}</p>}
            <Result found={run} busy={job.state === 'running'} onSend={(again) => compare(run, again)} />
          </>
        )}
      </JobView>
    </Group>
  )
}

/** If this fails, the page shows that the comparison still runs. */
async function stop(): Promise<void> {
  await send(insights, stopReconcile, {}).catch(() => {})
}

function progressOf({ state, parts, parts_done: done }: Run) {
  const text =
    state === 'sending' ? TEXTS.sending(formatNumber(done), hoursOf(parts)) : TEXTS.progress(formatNumber(done), formatNumber(parts))
  return { text, done, total: parts }
}

type ResultProps = { found: Run; busy: boolean; onSend(hours: readonly string[]): void }

function Result({ found: { state, hours, open_calls: openCalls }, busy, onSend }: ResultProps): ReactNode {
  const differing = hours.filter(({ same }) => !same)
  const tasks = hours.reduce((sum, each) => sum + each.insights, 0)
  const open = openCalls > 0 && <p>{TEXTS.open(formatCount(openCalls, TEXTS.calls.one, TEXTS.calls.other))}</p>
  if (differing.length === 0) {
    return (
      <>
        {state === 'done' && (
          <Notice tone="good">{hours.length === 0 ? TEXTS.nothing : TEXTS.same(tasksOf(tasks), hoursOf(hours.length))}</Notice>
        )}
        {open}
      </>
    )
  }
  return (
    <>
      <Notice
        tone="warn"
        title={TEXTS.differ(formatNumber(differing.length), hoursOf(hours.length))}
        action={
          <Button size="small" busy={busy} onClick={() => onSend(differing.map(({ hour }) => hour))}>
            {TEXTS.sendAll}
          </Button>
        }
      >
        {TEXTS.more}
      </Notice>
      <Table
        caption={TEXTS.table}
        columns={COLUMNS}
        rows={differing}
        rowKey={({ hour }) => hour}
        actions={({ hour }) => (
          <Button size="small" busy={busy} onClick={() => onSend([hour])}>
            {TEXTS.sendAgain}
          </Button>
        )}
      />
      {open}
    </>
  )
}

type ComparedHour = Run['hours'][number]
const differenceOf = (row: ComparedHour) => row.insights - row.functions

const COLUMNS: readonly Column<ComparedHour>[] = [
  timeColumn({ id: 'hour', head: TEXTS.at, phone: 'title', as: 'exact', at: ({ hour }) => hour }),
  { id: 'functions', head: TEXTS.functions, width: 130, align: 'end', phone: 'named', cell: (row) => <Num value={row.functions} /> },
  { id: 'insights', head: TEXTS.insights, width: 130, align: 'end', phone: 'named', cell: (row) => <Num value={row.insights} /> },
  {
    id: 'difference',
    head: TEXTS.difference,
    width: 130,
    align: 'end',
    phone: 'named',
    cell: (row) => (differenceOf(row) === 0 ? TEXTS.other : <Num value={differenceOf(row)} />),
  },
]
