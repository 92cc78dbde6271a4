import { Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { Progress } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Row } from '../../ui/page.tsx'
import styles from './system.module.css'
import type { Job } from './use-job.ts'
import { TEXT } from './words.ts'

type JobViewProps<P> = {
  job: Job<P>
  label: string
  /** How far it is, as text and as numbers, while it runs. */
  progress(progress: P): { readonly text: string; readonly done: number; readonly total?: number }
  /** Whether it goes on after the page is left. */
  inService?: boolean
  /** The result. */
  children(progress: P): ReactNode
}

/** Shows the progress of a job with a way to stop it, and then its result. Screen readers announce the end. */
export function JobView<P>({ job, label, progress, inService = false, children }: JobViewProps<P>): ReactNode {
  const { state, error, stop } = job
  const now = job.progress === undefined ? undefined : progress(job.progress)
  return (
    <div className={styles.job} aria-live="polite">
      {state === 'running' && (
        <>
          <Progress label={label} done={now?.done ?? 0} total={now?.total} />
          <Row gap={3}>
            <span aria-live="off">{now?.text}</span>
            <Button size="small" icon={<Square />} onClick={stop}>
              {TEXT.job.stop}
            </Button>
            {!inService && <span className={styles.muted}>{TEXT.job.keepOpen}</span>}
          </Row>
        </>
      )}
      {state === 'stopped' && <Notice tone="warn">{TEXT.job.stopped}</Notice>}
      {state === 'failed' && <Notice tone="bad">{error}</Notice>}
      {state !== 'running' && job.progress !== undefined && children(job.progress)}
    </div>
  )
}
