import { type ReactNode, useState } from 'react'
import { readMinute, writeMinute, type Zone } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Field, Input } from './field.tsx'
import styles from './minute-input.module.css'

const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d$/

type MinuteProps = {
  label: string
  /** The time that the input begins with. */
  first: Date
  zone: Zone
  error?: string | undefined
  /** Called with undefined while what is typed is no time. */
  onChange(at: Date | undefined): void
}

/** A day and a time of day. Browsers write times of day as their language does, for example with AM and PM; lists have 24 hours. */
export function MinuteInput({ label, first, zone, error, onChange }: MinuteProps): ReactNode {
  const [firstDay = '', firstTime = ''] = writeMinute(first, zone).split('T')
  const [day, setDay] = useState(firstDay)
  const [time, setTime] = useState(firstTime)
  const change = (nextDay: string, nextTime: string) => {
    setDay(nextDay)
    setTime(nextTime)
    const valid = nextDay !== '' && TIME.test(nextTime)
    onChange(valid ? readMinute(`${nextDay}T${nextTime.padStart(5, '0')}`, zone) : undefined)
  }
  return (
    <div className={styles.pair}>
      <Field label={label} error={error}>
        <Input type="date" required value={day} onChange={(event) => change(event.target.value, time)} />
      </Field>
      <Input
        aria-label={WORDS.list.timeOf(label)}
        title={WORDS.list.timeHelp}
        required
        pattern={TIME.source.slice(1, -1)}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        placeholder="14:05"
        value={time}
        onChange={(event) => change(day, event.target.value.trim())}
      />
    </div>
  )
}
