import type { SystemFigure, SystemPart } from '@onward/contract'
import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { readSystem } from '../../api/endpoints.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Lines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { SystemTabs } from './head.tsx'
import { Partitions } from './partitions.tsx'
import styles from './system.module.css'
import type { ServiceName, ServiceState } from './types.ts'
import { TEXT } from './words.ts'

/** The tab that shows what is behind a figure. */
const BEHIND: Readonly<Record<string, string>> = { quarantine_entries: 'quarantine', hours_differing: 'repair' }

/** Figures that should be 0. */
const ALARMS: readonly string[] = ['quarantine_entries', 'hours_differing', 'rejected_functions']

const EVERY_MS = 10_000

/** Whether the parts of both services answer, and how much work waits. */
export function Health(): ReactNode {
  const ofFunctions = useRead(functions, readSystem, {}, { every: EVERY_MS })
  const ofInsights = useRead(insights, readSystem, {}, { every: EVERY_MS })
  return (
    <Page title={TEXT.title} about={TEXT.about} tabs={<SystemTabs />}>
      <Summary functions={ofFunctions} insights={ofInsights} />
      <Service name="functions" reading={ofFunctions} />
      <Service name="insights" reading={ofInsights} />
      <Partitions functions={ofFunctions.data?.partitions} insights={ofInsights.data?.partitions} />
    </Page>
  )
}

type Both = Readonly<Record<ServiceName, Reading<ServiceState>>>

/** In a sentence: whether anything is wrong. */
function Summary(both: Both): ReactNode {
  const { data: ofFunctions } = both.functions
  const { data: ofInsights } = both.insights
  const parts = [...(ofFunctions?.parts ?? []), ...(ofInsights?.parts ?? [])]
  const count = (status: SystemPart['status'], { one, other }: { one: string; other: string }) => {
    const found = parts.filter((part) => part.status === status).length
    return found === 0 ? '' : formatCount(found, one, other)
  }
  const wrong = TEXT.health.some(count('down', TEXT.health.down), count('slow', TEXT.health.slow))
  const failed = both.functions.error !== undefined || both.insights.error !== undefined
  const differ = ofFunctions !== undefined && ofInsights !== undefined && ofFunctions.version !== ofInsights.version
  return (
    <div className={styles.summary} aria-live="polite">
      {failed && <Notice tone="bad" title={TEXT.health.unknown} />}
      {wrong !== '' && <Notice tone={parts.some(({ status }) => status === 'down') ? 'bad' : 'warn'} title={`${wrong}.`} />}
      {!failed && wrong === '' && ofFunctions !== undefined && ofInsights !== undefined && <Notice tone="good" title={TEXT.health.allUp} />}
      {differ && <Notice tone="warn">{TEXT.health.differ}</Notice>}
    </div>
  )
}

const TONES: Readonly<Record<SystemPart['status'], BadgeTone>> = { up: 'good', slow: 'warn', down: 'bad' }

function Service({ name, reading }: { name: ServiceName; reading: Reading<ServiceState> }): ReactNode {
  const { about, name: title } = TEXT.services[name]
  return (
    <Section title={title} about={about} reading={reading} asOf skeleton={<Lines count={5} />}>
      {({ version, started_at: started, parts, figures, call_bodies: bodies }) => (
        <>
          <ul className={styles.parts}>
            <li>
              <span className={styles.muted}>{TEXT.health.version}</span> {version}, {TEXT.health.upSince} <Time at={started} as="short" />
            </li>
            {parts.map((part) => (
              <li key={part.name} title={part.detail}>
                <span className={styles.muted}>{TEXT.health.parts[part.name] ?? part.name}</span>{' '}
                <Badge tone={TONES[part.status]} text={TEXT.health.status[part.status]} />{' '}
                <span className={styles.muted}>{part.detail}</span>
              </li>
            ))}
            {bodies !== null && (
              <li>
                <span className={styles.muted}>{TEXT.health.bodies}</span> {TEXT.health.bodiesOf[bodies]}
              </li>
            )}
          </ul>
          <FiguresOf figures={figures} />
        </>
      )}
    </Section>
  )
}

/** The figures of a service. Those that show something wrong are marked, and lead to what is behind them. */
function FiguresOf({ figures }: { figures: readonly SystemFigure[] }): ReactNode {
  return (
    <Figures>
      {figures.map((figure) => {
        const { name, help } = TEXT.figures[figure.name] ?? { name: figure.name, help: figure.unit }
        return (
          <Figure key={figure.name} name={name} value={<Value {...figure} />} note={help}>
            <Since {...figure} />
          </Figure>
        )
      })}
    </Figures>
  )
}

function Value({ name, value }: SystemFigure): ReactNode {
  const behind = BEHIND[name]
  const wrong = value !== null && value > 0 && ALARMS.includes(name)
  const number = <Num value={value} />
  return (
    <span className={wrong ? styles.wrong : undefined}>
      {behind === undefined || value === null ? (
        number
      ) : (
        <PageLink page="system" path={behind} className={styles.plainLink}>
          {number}
        </PageLink>
      )}
    </span>
  )
}

function Since({ name, value, since }: SystemFigure): ReactNode {
  if (value === null) return <p className={styles.since}>{TEXT.health.unread}</p>
  if (since === null) return null
  return (
    <p className={styles.since}>
      {name === 'hours_differing' ? TEXT.health.checked : TEXT.health.oldest} <Time at={since} />
    </p>
  )
}
