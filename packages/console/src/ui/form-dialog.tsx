import { type ReactNode, useId } from 'react'
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

/** A dialog with a form, which Enter in a field submits as well as the button. */
export function FormDialog({ title, action, busy, why, noValidate, submit, onClose, children }: FormDialogProps): ReactNode {
  const formId = useId()
  const footer = (
    <>
      <Button onClick={onClose}>{WORDS.common.cancel}</Button>
      <Button type="submit" form={formId} tone="accent" busy={busy} why={why}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog open title={title} onClose={onClose} footer={footer}>
      <form
        id={formId}
        noValidate={noValidate}
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
