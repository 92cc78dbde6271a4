import { type ButtonHTMLAttributes, createElement, type ReactElement, useState } from 'react'
import { openPicker, type PickerEvent, type PickerOptions } from './browser.ts'

export type ConnectAppsButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'> &
  Pick<PickerOptions, 'url' | 'features' | 'onEvent'>

/** A button that opens the picker of apps. It is off while the window is open. Failures are passed to `onEvent`. */
export function ConnectAppsButton({ url, features, onEvent, disabled, ...rest }: ConnectAppsButtonProps): ReactElement {
  const [open, setOpen] = useState(false)
  const pick = () => {
    setOpen(true)
    // `onEvent` has had what it throws.
    openPicker({ url, features, onEvent })
      .catch(() => {})
      .finally(() => setOpen(false))
  }
  return createElement('button', { ...rest, type: 'button', disabled: open || disabled === true, onClick: pick })
}

export type { PickerEvent }
