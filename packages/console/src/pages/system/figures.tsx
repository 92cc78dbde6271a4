import type { SystemFigure } from '@onward/contract'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './system.module.css'
import { TEXT } from './words.ts'

/** The tab that shows what is behind a figure. */
const BEHIND: Readonly<Record<string, string>> = { quarantine_entries: 'quarantine', hours_differing: 'repair' }
/** Figures that should be 0. */
const ALARMS: readonly string[] = ['quarantine_entries', 'hours_differing', 'rejected_functions']

/** The figures of a service. Those that show something wrong are marked, and lead to what is behind them. */
export function FiguresOf({ figures }: { figures: readonly SystemFigure[] }): ReactNode {
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
