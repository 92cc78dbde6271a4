import type { FunctionItem } from '@onward/contract'
import { Eye, Play as PlayIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { CodeView } from './code-view.tsx'
import { problemsOf } from './errors.ts'
import styles from './playground.module.css'
import { RequestView } from './request-view.tsx'
import { ResponseView } from './response-view.tsx'
import type { Form } from './use-form.ts'
import { type Cursor, type Task, useRuns } from './use-run.ts'
import { PLAY } from './words.ts'

const { run: words } = PLAY
type View = keyof typeof words.views

type RunProps = {
  item: FunctionItem
  form: Form
  task: Task
  /** The name of the account that the call uses; empty if the app needs none. */
  account: string
  /** Why the function cannot be called now. */
  lacks: string | undefined
}

/** The buttons to preview and run the function, and the result. */
export function Run({ item, form, task, account, lacks }: RunProps): ReactNode {
  const [view, setView] = useState<View>('response')
  const [asking, setAsking] = useState<{ readonly cursor: Cursor } | undefined>(undefined)
  const runs = useRuns()
  const destructive = item.meta?.destructive === true
  const developer = useMay('developer')
  const owner = useMay('owner')
  const mayNot = developer.why ?? (destructive && !owner.allowed ? words.ownerOnly : undefined)
  const shown = { ...(runs.outcome?.task.fn === item.name && { outcome: runs.outcome }) }.outcome
  const previewed = runs.previewed?.task.fn === item.name ? runs.previewed : undefined

  const call = async (cursor?: Cursor) => {
    setView('response')
    const { error } = await runs.call(task, cursor)
    form.refuse(problemsOf(error))
  }
  const start = (cursor?: Cursor) => {
    if (!form.check()) return focusProblem()
    if (destructive) setAsking({ cursor })
    else void call(cursor)
  }
  const preview = async () => {
    if (!form.check()) return focusProblem()
    setView('request')
    const { error } = await runs.preview(task)
    form.refuse(problemsOf(error))
  }
  return (
    <section aria-label={words.title} className={styles.run}>
      <div className={styles.runHead}>
        <Choice
          label={words.view}
          value={view}
          choices={(Object.keys(words.views) as View[]).map((value) => ({ value, label: words.views[value] }))}
          onChange={(value) => setView(value)}
        />
        <div className={styles.runButtons}>
          <Button icon={<Eye />} busy={runs.running === 'preview'} why={developer.why ?? lacks} onClick={() => void preview()}>
            {words.preview}
          </Button>
          <Button
            tone={destructive ? 'bad' : 'accent'}
            icon={<PlayIcon />}
            busy={runs.running === 'call'}
            why={mayNot ?? lacks}
            onClick={() => start()}
          >
            {shown === undefined ? words.button : words.again}
          </Button>
        </div>
      </div>
      <p className={styles.note}>{task.user === '' ? words.costOfAnybody : words.cost(task.user)}</p>
      {view === 'response' && <ResponseView running={runs.running === 'call'} outcome={shown} onNext={(cursor) => start(cursor)} />}
      {view === 'request' && <RequestView previewed={previewed} running={runs.running === 'preview'} args={form.args} />}
      {view === 'code' && <CodeView task={task} />}
      <Confirm
        open={asking !== undefined}
        title={words.confirmTitle(item.title)}
        names={words.confirm(item.title, task.user, account === '' ? '' : words.confirmAccount(account))}
        action={words.confirmAction(item.title)}
        run={async () => {
          await call(asking?.cursor)
          return true
        }}
        onClose={() => setAsking(undefined)}
      />
    </section>
  )
}

/** The problems are drawn in the next frame. */
function focusProblem(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid]')?.focus())
}
