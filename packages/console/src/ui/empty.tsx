import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './empty.module.css'

/** What a page says when it has nothing to show: what will appear here, why that is useful, and what to do for it. */
export type EmptyText = {
  readonly icon?: ReactNode
  readonly title: string
  readonly help: ReactNode
  readonly action?: ReactNode
}

/** Stands where rows would be. */
export function Empty({ icon, title, help, action }: EmptyText): ReactNode {
  return (
    <div className={styles.empty}>
      {icon !== undefined && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={styles.title}>{title}</p>
      <p className={styles.help}>{help}</p>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}

const ICONS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const

/** A message about what is around it. `bad` is announced at once, and so is one with `alert`. */
export function Notice({
  tone,
  alert = tone === 'bad',
  title,
  action,
  children,
}: {
  tone: keyof typeof ICONS
  alert?: boolean
  title?: string
  action?: ReactNode
  children?: ReactNode
}): ReactNode {
  const Icon = ICONS[tone]
  return (
    <div className={cx(styles.notice, styles[tone])} role={alert ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div className={styles.text}>
        {title !== undefined && <p className={styles.noticeTitle}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}
