import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { dismissToast, type Toast, useToasts } from '../api/toasts.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Button } from '../ui/button.tsx'
import styles from './toasts.module.css'

const SHOWN_MS = 6_000

/** Short messages about what was done. Screen readers say them when they appear. Errors stay until they are dismissed. */
export function Toasts(): ReactNode {
  const toasts = useToasts()
  return (
    <section aria-label={SHELL_WORDS.messages} aria-live="polite" className={styles.toasts}>
      {toasts.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function One({ toast: { id, tone, text } }: { toast: Toast }): ReactNode {
  useEffect(() => {
    if (tone === 'bad') return
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, tone])
  const Icon = tone === 'good' ? CircleCheck : CircleAlert
  return (
    <div className={styles.toast}>
      <Icon aria-hidden="true" className={styles[tone]} />
      <p>{text}</p>
      <Button tone="quiet" size="small" icon={<X />} aria-label={SHELL_WORDS.dismiss} onClick={() => dismissToast(id)} />
    </div>
  )
}
