import { type ReactNode, useState } from 'react'
import { daysAgo, type Zone, zoneName } from '../text/format.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { MinuteInput } from '../ui/minute-input.tsx'
import { usePreference } from '../ui/preference.ts'
import { type AnyValues, type Field, periodOf, printPeriod } from './address.ts'
import { Options } from './options.tsx'
import styles from './period-editor.module.css'

type PeriodProps = { field: Field; value: AnyValues[string]; onChange(value: AnyValues[string]): void }

/** Periods that end now, two days of the calendar, and any other period. */
export function PeriodEditor({ field, value, onChange }: PeriodProps): ReactNode {
  const [zone, setZone] = usePreference('zone')
  const [now] = useState(() => new Date())
  const other = zone === 'UTC' ? 'local' : 'UTC'
  const days = [
    [printPeriod(daysAgo(0, now, zone), daysAgo(-1, now, zone)), WORDS.list.today],
    [printPeriod(daysAgo(1, now, zone), daysAgo(0, now, zone)), WORDS.list.yesterday],
  ] as const
  return (
    <>
      <Options
        options={[...(field.values ?? Object.keys(WORDS.periods)).map((one) => [one, WORDS.periods[one] ?? one] as const), ...days]}
        value={value}
        onChange={onChange}
      />
      <p className={styles.zone}>
        <span>{WORDS.list.timesIn(zoneName(now, zone))}</span>
        {zoneName(now, 'local') !== 'UTC' && (
          <Button tone="quiet" size="small" onClick={() => setZone(other)}>
            {SHELL_WORDS.commands.zones[other]}
          </Button>
        )}
      </p>
      <Custom key={zone} period={periodOf(String(value ?? field.default ?? '24h'), now)} now={now} zone={zone} onChange={onChange} />
    </>
  )
}

type CustomProps = { period: ReturnType<typeof periodOf>; now: Date; zone: Zone; onChange(value: string): void }

function Custom({ period: { since, until }, now, zone, onChange }: CustomProps): ReactNode {
  const [from, setFrom] = useState<Date | undefined>(since)
  const [to, setTo] = useState<Date | undefined>(until ?? now)
  const wrong = from !== undefined && to !== undefined && from >= to ? WORDS.list.endsFirst : undefined
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (from !== undefined && to !== undefined && from < to) onChange(printPeriod(from, to))
      }}
    >
      <MinuteInput label={WORDS.list.from} first={since} zone={zone} onChange={setFrom} />
      <MinuteInput label={WORDS.list.until} first={until ?? now} zone={zone} error={wrong} onChange={setTo} />
      <Button type="submit" tone="accent" size="small">
        {WORDS.common.apply}
      </Button>
    </form>
  )
}
