import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { previewLimits } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Facts } from '../../ui/page.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import styles from './limit-form.module.css'
import type { Preview } from './preview-figures.tsx'
import { WORDS } from './words.ts'

type FormProps = {
  /** What the limit is now. */
  now: readonly [name: string, value: ReactNode]
  text: string
  error: string | undefined
  action: string
  tone: 'accent' | 'bad'
  busy: boolean
  why: string | undefined
  onText(text: string): void
  onSubmit(): void
  /** What the limit would do. */
  children: ReactNode
}

/** A field for a limit with what it would do below it. */
export function LimitForm({ now, text, error, action, tone, busy, why, onText, onSubmit, children }: FormProps): ReactNode {
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (why === undefined && !busy) onSubmit()
      }}
    >
      <Facts facts={[now]} />
      <div className={styles.fields}>
        <Field label={WORDS.limits.tasks} error={error}>
          <Input inputMode="numeric" autoComplete="off" value={text} onChange={(event) => onText(event.target.value)} />
        </Field>
        <Button type="submit" tone={tone} busy={busy} why={why} className={styles.button}>
          {action}
        </Button>
      </div>
      <div role="status">{children}</div>
    </form>
  )
}

/** Reads what a limit for all users of the workspace would do; nothing while there is no limit. */
export function useBulkPreview(limit: number | undefined): Reading<Preview> & { readonly settled: boolean } {
  const workspaceId = useWorkspaceId()
  const settled = useSettled(limit)
  const reading = useRead(
    insights,
    previewLimits,
    { params: { workspace_id: workspaceId }, body: { tasks_limit: settled ?? 0 } },
    { enabled: settled !== undefined },
  )
  return { ...reading, settled: settled === limit && reading.data !== undefined }
}

/** What stands in place of a preview that is not there: that it comes, or why it does not. */
export function NoPreview({ reading }: { reading: Reading<unknown> }): ReactNode {
  if (reading.error === undefined) return <Notice tone="info">{WORDS.preview.checking}</Notice>
  return (
    <Notice
      tone="warn"
      title={WORDS.preview.failed}
      action={
        <Button size="small" busy={reading.loading} onClick={reading.retry}>
          {WORDS.common.retry}
        </Button>
      }
    >
      {reading.error.message}
    </Notice>
  )
}
