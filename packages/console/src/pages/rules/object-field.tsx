import { type ReactNode, useState } from 'react'
import { Field, TextArea } from '../../ui/field.tsx'
import { RULES } from './words.ts'

type Value = Readonly<Record<string, unknown>> | undefined

type ObjectFieldProps = { label: string; help: string; value: Value; onChange(value: Value): void }

/** A JSON object as text; an empty text is no object. A text that is no object yet is only here, and the value stays as it was. */
export function ObjectField({ label, help, value, onChange }: ObjectFieldProps): ReactNode {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string | undefined } | undefined>(undefined)
  const stored = value === undefined ? '' : JSON.stringify(value, null, 2)
  // A value that was set elsewhere replaces what is typed.
  const text = typed === undefined || typed.of !== stored ? stored : typed.text
  const type = (next: string) => {
    const object = objectOf(next)
    const isValue = object !== undefined || next.trim() === ''
    setTyped({ text: next, of: !isValue ? stored : object === undefined ? '' : JSON.stringify(object, null, 2) })
    if (isValue) onChange(object)
  }
  const isWrong = text.trim() !== '' && objectOf(text) === undefined
  return (
    <Field label={label} help={help} error={isWrong ? RULES.form.notObject : undefined} optional>
      <TextArea mono spellCheck={false} value={text} onChange={(event) => type(event.target.value)} />
    </Field>
  )
}

function objectOf(text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
