import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { faultOf } from '../../parts/call-fault.ts'
import { CallResult } from '../../parts/call-result.tsx'
import { AppLogo } from '../../shell/app-logo.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { formatNumber } from '../../text/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Card, Named } from '../../ui/page.tsx'
import { type Reading, Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Statistics } from './figures.tsx'
import styles from './overview.module.css'
import type { PeriodName } from './period.ts'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.causes
/** The service returns the 20 most frequent causes. */
const SHOWN = 8

type Cause = Statistics['causes'][number]

/** Failures grouped by app, function and result, so that thousands of failures become a few causes. Each links to its calls. */
export function Causes({ reading, period }: { reading: Reading<Statistics>; period: PeriodName }): ReactNode {
  const appKey = useAppKey()
  return (
    <Section
      title={WORDS.title}
      about={WORDS.about}
      reading={reading}
      skeleton={<Bone width="100%" height={180} />}
      actions={
        <PageLink page="calls" search={{ app_key: appKey, period, failed: '1' }}>
          {WORDS.all}
        </PageLink>
      }
    >
      {({ causes }) => (
        <Card padded={false}>
          {causes.length === 0 ? (
            <Empty icon={<CircleCheck />} title={WORDS.none} help={WORDS.noneHelp(OVERVIEW_WORDS.inPeriod[period])} />
          ) : (
            <Table caption={WORDS.title} columns={columnsOf(period, appKey)} rows={causes.slice(0, SHOWN)} rowKey={keyOf} />
          )}
        </Card>
      )}
    </Section>
  )
}

/** What the app says, or else what the result means. */
function Message({ cause }: { cause: Cause }): ReactNode {
  const { message } = cause
  return message === undefined ? <span className={styles.asOf}>{faultOf(cause).title}</span> : <span title={message}>{message}</span>
}

function keyOf({ app, function_name, outcome, network_code }: Cause): string {
  return JSON.stringify([app, function_name, outcome, network_code])
}

function columnsOf(period: PeriodName, appKey: string | undefined): readonly Column<Cause>[] {
  const callsOf = ({ function_name, outcome, network_code }: Cause) => ({
    app_key: appKey,
    period,
    function: function_name,
    outcome,
    status: network_code === null ? undefined : String(network_code),
  })
  return [
    {
      id: 'function_name',
      head: WORDS.fn,
      width: 'grow',
      phone: 'title',
      cell: (cause) => (
        <Named logo={<AppLogo app={cause.app} size={20} />}>
          <PageLink page="calls" search={callsOf(cause)}>
            {cause.function_name}
          </PageLink>
        </Named>
      ),
    },
    { id: 'cause', head: WORDS.cause, width: 180, phone: 'line', cell: (cause) => <CallResult call={cause} /> },
    {
      id: 'message',
      head: WORDS.message,
      width: 'grow',
      phone: 'line',
      cell: (cause) => <Message cause={cause} />,
    },
    {
      id: 'users',
      head: WORDS.users,
      width: 84,
      align: 'end',
      phone: 'hide',
      cell: ({ users, users_complete: complete }) => users !== undefined && `${formatNumber(users)}${complete ? '' : '+'}`,
    },
    {
      id: 'calls',
      head: WORDS.calls,
      width: 96,
      align: 'end',
      phone: 'named',
      cell: (cause) => (
        <PageLink page="calls" search={callsOf(cause)}>
          {formatNumber(cause.calls)}
        </PageLink>
      ),
    },
    {
      id: 'last',
      head: WORDS.last,
      width: 84,
      align: 'end',
      phone: 'line',
      cell: (cause) => (
        <PageLink page="calls" search={{ ...callsOf(cause), call: cause.last_call_id }} aria-label={WORDS.openOf(cause.function_name)}>
          {WORDS.open}
        </PageLink>
      ),
    },
  ]
}
