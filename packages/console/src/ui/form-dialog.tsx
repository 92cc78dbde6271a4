import { type ReactNode, useId, useState } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Stack } from './page.tsx'

type FormDialogProps = {
  title: string
  /** Text of the button that submits the form. */
  action: string
  /** Whether the form is being submitted, or must wait. */
  busy: boolean
  /** Why the form cannot be submitted. */
  why?: string | undefined
  /** For forms with their own messages about wrong fields. */
  noValidate?: boolean
  submit(): Promise<void>
  onClose(): void
  children: ReactNode
}

const TEXT_FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"])'

/** A dialog with a form, which Enter in a field submits as well as the button. Asks before text that was entered is lost, except at Cancel. */
export function FormDialog({ title, action, busy, why, noValidate, submit, onClose, children }: FormDialogProps): ReactNode {
  const formId = useId()
  const [entered, setEntered] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const footer = leaving ? (
    <>
      <p role="alert">{WORDS.form.leave.title}</p>
      <Button tone="bad" onClick={onClose}>
        {WORDS.form.discard}
      </Button>
      <Button tone="accent" onClick={() => setLeaving(false)}>
        {WORDS.secret.stay}
      </Button>
    </>
  ) : (
    <>
      <Button onClick={onClose}>{WORDS.common.cancel}</Button>
      <Button type="submit" form={formId} tone="accent" busy={busy} why={why}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog open title={title} onClose={entered ? () => setLeaving(true) : onClose} footer={footer}>
      <form
        id={formId}
        noValidate={noValidate}
        onChange={({ target }) => {
          if ((target as Element).matches(TEXT_FIELDS)) setEntered(true)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && why === undefined) void submit()
        }}
      >
        <Stack gap={4}>{children}</Stack>
      </form>
    </Dialog>
  )
}
