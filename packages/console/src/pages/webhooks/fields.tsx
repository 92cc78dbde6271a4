import type { EventKind } from '@onward/contract'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { levelOf } from './states.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const TEXTS = TEXT.create
const USUAL = [50, 80, 90, 100]
const KINDS = Object.keys(TEXT.kinds) as EventKind[]

type UrlProps = { url: string; error: string | undefined; disabled?: boolean; onChange(url: string): void }

export function UrlField({ url, error, disabled, onChange }: UrlProps): ReactNode {
  return (
    <Field label={TEXTS.url} help={TEXTS.urlHelp} error={error}>
      <Input
        mono
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={TEXTS.urlPlaceholder}
        disabled={disabled}
        value={url}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** The server says `must be https`; here it is a full sentence. */
export function addressProblem(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `The address ${problem}.`
}

type EventsProps = { events: readonly string[]; error: string | undefined; disabled?: boolean; onChange(events: readonly string[]): void }

/** The events of a subscription: levels and others. */
export function EventsField({ events, error, disabled, onChange }: EventsProps): ReactNode {
  const turn = (event: string, on: boolean) =>
    onChange(on ? [...events, event].sort((a, b) => orderOf(a) - orderOf(b)) : events.filter((one) => one !== event))
  return (
    <>
      <LevelsField
        levels={events.flatMap((event) => levelOf(event) ?? [])}
        error={error}
        disabled={disabled}
        turn={(level, on) => turn(`user_tasks_limit_${level}`, on)}
      />
      <fieldset className={styles.levelsField} disabled={disabled}>
        <legend>{TEXTS.kinds}</legend>
        <div className={styles.kinds}>
          {KINDS.map((kind) => (
            <Checkbox
              key={kind}
              label={TEXT.kinds[kind]}
              checked={events.includes(kind)}
              onChange={(event) => turn(kind, event.target.checked)}
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

/** Levels come first, the lowest before the others. */
function orderOf(event: string): number {
  return levelOf(event) ?? 101 + Object.keys(TEXT.kinds).indexOf(event)
}

type LevelsProps = {
  levels: readonly number[]
  error: string | undefined
  disabled: boolean | undefined
  turn(level: number, on: boolean): void
}

/** The levels that most use, and any other. */
function LevelsField({ levels, error, disabled, turn }: LevelsProps): ReactNode {
  const [other, setOther] = useState('')
  const [wrong, setWrong] = useState(false)
  const errorId = useId()
  const shown = [...new Set([...USUAL, ...levels])].sort((a, b) => a - b)
  const add = () => {
    const level = Number(other)
    const valid = /^\d{1,3}$/.test(other.trim()) && level >= 1 && level <= 100
    setWrong(!valid)
    if (!valid) return
    if (!levels.includes(level)) turn(level, true)
    setOther('')
  }
  return (
    <fieldset className={styles.levelsField} disabled={disabled} aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{TEXTS.levels}</legend>
      <Row gap={4}>
        {shown.map((level) => (
          <Checkbox
            key={level}
            label={`${level}%`}
            checked={levels.includes(level)}
            onChange={(event) => turn(level, event.target.checked)}
          />
        ))}
      </Row>
      {error !== undefined && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <p className={styles.help}>{TEXTS.levelsHelp}</p>
      <div className={styles.otherLevel}>
        <Field label={TEXTS.other} error={wrong ? TEXTS.notALevel : undefined}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="95"
            value={other}
            onChange={(event) => setOther(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || other.trim() === '') return
              event.preventDefault()
              add()
            }}
          />
        </Field>
        <Button onClick={add}>{TEXTS.add}</Button>
      </div>
    </fieldset>
  )
}
