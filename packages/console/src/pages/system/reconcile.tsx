import type { ComparedHour } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Num } from '../../ui/number.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { JobView } from './job-view.tsx'
import { type Compared, compareWork, type Resent, resendWork } from './reconcile-work.ts'
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
  const compared = useJob<Compared>()
  const resent = useJob<Resent>()
  const busy = compared.state === 'running' || resent.state === 'running'
  const sendAgain = async (again: readonly string[]) => {
    await resent.start(resendWork(again))
    await compared.start(compareWork(compared.progress?.asked ?? Number(hours)))
  }
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      <Row gap={3}>
        <Choice
          label={TEXTS.period}
          value={hours}
          choices={HOURS.map((value) => ({ value, label: TEXTS.periods[value] }))}
          onChange={(value) => setHours(value)}
        />
        <Button busy={busy} onClick={() => void compared.start(compareWork(Number(hours)))}>
          {TEXTS.compare}
        </Button>
      </Row>
      <JobView job={resent} label={TEXTS.sendAgain} progress={resentProgress}>
        {({ tasks, confirming }) => !confirming && <p>{TEXTS.sent(tasksOf(tasks))}</p>}
      </JobView>
      <JobView
        job={compared}
        label={TEXTS.title}
        progress={({ doneDays, days }) => ({
          text: TEXTS.progress(formatNumber(doneDays), formatNumber(days)),
          done: doneDays,
          total: days,
        })}
      >
        {(found) => <Result found={found} complete={compared.state === 'done'} busy={busy} onSend={(again) => void sendAgain(again)} />}
      </JobView>
    </Group>
  )
}

function resentProgress({ doneHours, hours, confirming }: Resent) {
  return { text: confirming ? TEXTS.confirming : TEXTS.sending(formatNumber(doneHours), hoursOf(hours)), done: doneHours, total: hours }
}

type ResultProps = { found: Compared; complete: boolean; busy: boolean; onSend(hours: readonly string[]): void }

function Result({ found: { hours, openCalls }, complete, busy, onSend }: ResultProps): ReactNode {
  const differing = hours.filter(({ same }) => !same)
  const tasks = hours.reduce((sum, each) => sum + (each.insights?.tasks ?? 0), 0)
  const open = openCalls > 0 && <p>{TEXTS.open(formatCount(openCalls, TEXTS.calls.one, TEXTS.calls.other))}</p>
  if (differing.length === 0) {
    return (
      <>
        {complete && <Notice tone="good">{hours.length === 0 ? TEXTS.nothing : TEXTS.same(tasksOf(tasks), hoursOf(hours.length))}</Notice>}
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

const tasksIn = (hour: { readonly tasks: number } | undefined) => hour?.tasks ?? 0
const differenceOf = (row: ComparedHour) => tasksIn(row.insights) - tasksIn(row.functions)

const COLUMNS: readonly Column<ComparedHour>[] = [
  {
    id: 'hour',
    head: TEXTS.at,
    width: 'grow',
    phone: 'title',
    cell: ({ hour }) => <Time at={hour} as="exact" />,
    text: ({ hour }) => hour,
  },
  {
    id: 'functions',
    head: TEXTS.functions,
    width: 130,
    align: 'end',
    phone: 'named',
    cell: (row) => <Num value={tasksIn(row.functions)} />,
    text: (row) => String(tasksIn(row.functions)),
  },
  {
    id: 'insights',
    head: TEXTS.insights,
    width: 130,
    align: 'end',
    phone: 'named',
    cell: (row) => <Num value={tasksIn(row.insights)} />,
    text: (row) => String(tasksIn(row.insights)),
  },
  {
    id: 'difference',
    head: TEXTS.difference,
    width: 130,
    align: 'end',
    phone: 'named',
    cell: (row) => (differenceOf(row) === 0 ? TEXTS.other : <Num value={differenceOf(row)} />),
    text: (row) => String(differenceOf(row)),
  },
]
