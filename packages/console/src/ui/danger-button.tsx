import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Confirm, type ConfirmProps } from './dialog.tsx'

type DangerButtonProps = Omit<ConfirmProps, 'open' | 'onClose'> &
  Pick<ComponentProps<typeof Button>, 'tone' | 'size' | 'busy' | 'why'> & {
    /** Text of the button; by default `action`. */
    label?: string
  }

/** A button that asks before it destroys something. The dialog has a form, so the button must not be in one. */
export function DangerButton({ label, tone = 'bad', size = 'normal', busy = false, why, ...confirm }: DangerButtonProps): ReactNode {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button tone={tone} size={size} busy={busy} why={why} onClick={() => setAsking(true)}>
        {label ?? confirm.action}
      </Button>
      <Confirm {...confirm} open={asking} onClose={() => setAsking(false)} />
    </>
  )
}
