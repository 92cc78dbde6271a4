import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import styles from './import.module.css'
import { IMPORT } from './import-words.ts'

/** Where the reader is in the wizard. */
export function Steps({ at }: { at: number }): ReactNode {
  return (
    <ol className={styles.steps} aria-label={IMPORT.stepsLabel}>
      {IMPORT.steps.map((name, index) => (
        <li
          key={name}
          className={cx(index === at && styles.now, index < at && styles.past)}
          aria-current={index === at ? 'step' : undefined}
        >
          <span aria-hidden="true" className={styles.mark}>
            {index < at ? <Check /> : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  )
}
