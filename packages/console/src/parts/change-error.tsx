import type { ReactNode } from 'react'
import type { Change } from '../api/queries.ts'
import type { OnwardError } from '../api/request.ts'
import { WORDS } from '../text/words.ts'
import { Id } from '../ui/copy-button.tsx'
import { Notice } from '../ui/empty.tsx'

type Fields = Change<never>['fields']

/** Returns what is wrong with a field. `list[2]: …` is the problem of the third line of the field `list`. */
export function problemOf(fields: Fields, name: string): string | undefined {
  const problems = Object.entries(fields).flatMap(([field, text]) => {
    if (field === name) return [text]
    const [, list, at] = /^(.+)\[(\d+)\]$/.exec(field) ?? []
    return list === name ? [WORDS.form.item(Number(at) + 1, text)] : []
  })
  return problems.length === 0 ? undefined : problems.join('. ')
}

type ChangeErrorProps = {
  error: OnwardError | undefined
  /** Fields that show their own problems, which are then not repeated. */
  fields?: readonly string[]
}

/** Says why a change was refused, and what is wrong with parts of it that no field shows. */
export function ChangeError({ error, fields = [] }: ChangeErrorProps): ReactNode {
  if (error === undefined) return null
  if (error.code === 'changed_since_read')
    return (
      <Notice tone="warn" alert>
        {WORDS.form.clash.again}
      </Notice>
    )
  const others = error.details.filter((detail) => !fields.includes(/^[\w.]+/.exec(detail)?.[0] ?? ''))
  if (others.length === 0 && error.details.length > 0) return null
  return (
    <Notice tone="bad" title={error.message}>
      {others.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {error.requestId !== undefined && (
        <p>
          {WORDS.common.requestId} <Id value={error.requestId} what={WORDS.common.requestId} full />
        </p>
      )}
    </Notice>
  )
}
