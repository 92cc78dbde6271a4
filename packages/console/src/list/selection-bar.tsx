import type { ReactNode } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import type { RowAction } from './list-of.ts'
import styles from './list-page.module.css'

type SelectionBarProps<Row> = { chosen: readonly Row[]; actions: readonly RowAction<Row>[] | undefined; onClear(): void }

/** What can be done with the selected rows. It stands in the place of the filters. */
export function SelectionBar<Row>({ chosen, actions, onClear }: SelectionBarProps<Row>): ReactNode {
  const text = WORDS.list.selected(formatCount(chosen.length, WORDS.list.rows.one, WORDS.list.rows.other))
  return (
    <div className={styles.selection} role="toolbar" aria-label={text}>
      <span>{text}</span>
      {actions?.map(({ label, icon, tone, why, run }) => (
        <Button key={label} size="small" icon={icon} tone={tone} why={why?.(chosen)} onClick={() => run(chosen)}>
          {label}
        </Button>
      ))}
      <Button tone="quiet" size="small" onClick={onClear}>
        {WORDS.list.clearSelection}
      </Button>
    </div>
  )
}
