import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import popover from '../ui/popover.module.css'
import type { AnyValues } from './address.ts'
import styles from './filter-bar.module.css'

type OptionsProps = {
  options: readonly (readonly [value: string, name: string])[]
  value: AnyValues[string]
  onChange(value: string): void
}

/** The values of a filter. */
export function Options({ options, value, onChange }: OptionsProps): ReactNode {
  return (
    <ul className={styles.options}>
      {options.map(([one, name]) => (
        <li key={one}>
          <button type="button" className={cx(popover.choice, styles.option)} aria-pressed={one === value} onClick={() => onChange(one)}>
            <Check aria-hidden="true" />
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
