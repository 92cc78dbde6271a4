import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { type Line, type Operator, problemOf } from './rule-lines.ts'
import styles from './rules.module.css'
import { RULES } from './words.ts'

const { form: words } = RULES

type LinesProps<V> = {
  label: string
  help: string
  /** Names a line for screen readers. */
  nameOf(place: number): string
  add: string
  operators: readonly Operator[]
  value: V
  /** Returns the lines of a value; undefined if lines cannot show it. */
  read(value: V): readonly Line[] | undefined
  write(lines: readonly Line[]): V
  onChange(value: V): void
  /** Says whether a row has a problem, so that the value is not what the reader sees. */
  onUnfinished(unfinished: boolean): void
}

/** Conditions or values of arguments, as rows. While a row has a problem, the value stays as it was. */
export function LinesField<V>(props: LinesProps<V>): ReactNode {
  const { label, help, nameOf, add, operators, value, read, write, onChange, onUnfinished } = props
  const [typed, setTyped] = useState<{ readonly lines: readonly Line[]; readonly of: string } | undefined>(undefined)
  const stored = JSON.stringify(value ?? null)
  // A value that was set elsewhere replaces what is typed.
  const lines = typed?.of === stored ? typed.lines : read(value)
  const isUnfinished = lines?.some((line) => problemOf(line, lines) !== undefined) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is another one each time
  useEffect(() => {
    onUnfinished(isUnfinished)
    // Rows that are folded or removed are forgotten.
    return () => onUnfinished(false)
  }, [isUnfinished])
  if (lines === undefined) {
    return (
      <fieldset className={styles.group}>
        <legend>{label}</legend>
        <p className={styles.help}>{words.onlyJson}</p>
        <Code text={JSON.stringify(value, null, 2)} language="json" label={label} />
      </fieldset>
    )
  }
  const set = (next: readonly Line[]) => {
    const written = next.some((line) => problemOf(line, next) !== undefined) ? undefined : { value: write(next) }
    setTyped({ lines: next, of: written === undefined ? stored : JSON.stringify(written.value ?? null) })
    if (written !== undefined) onChange(written.value)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.help}>{help}</p>
      <div className={styles.lines}>
        {lines.map((line, at) => {
          const change = (part: Partial<Line>) => set(lines.with(at, { ...line, ...part }))
          const name = nameOf(at + 1)
          const problem = problemOf(line, lines)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
            <div key={at} className={styles.line}>
              <Input
                mono
                spellCheck={false}
                autoComplete="off"
                aria-label={words.argumentOf(name)}
                placeholder={words.argument}
                value={line.name}
                onChange={(event) => change({ name: event.target.value })}
              />
              {operators.length === 1 ? (
                <span>{words.operators.is}</span>
              ) : (
                <Select
                  aria-label={words.operatorOf(name)}
                  value={line.operator}
                  onChange={(event) => change({ operator: event.target.value as Operator })}
                  options={operators.map((each) => [each, words.operators[each]])}
                />
              )}
              <Input
                spellCheck={false}
                autoComplete="off"
                aria-label={words.valueOf(name)}
                placeholder={words.value}
                value={line.value}
                onChange={(event) => change({ value: event.target.value })}
              />
              <Button
                tone="quiet"
                size="small"
                icon={<X />}
                aria-label={words.removeOne(name)}
                onClick={() => set(lines.toSpliced(at, 1))}
              />
              {problem !== undefined && (
                <p className={styles.wrong} role="status">
                  {words.problems[problem]}
                </p>
              )}
            </div>
          )
        })}
      </div>
      <div>
        <Button size="small" icon={<Plus />} onClick={() => set([...lines, { name: '', operator: 'is', value: '' }])}>
          {add}
        </Button>
      </div>
    </fieldset>
  )
}
