import type { FunctionItem } from '@onward/contract'
import { writeJson } from '@onward/json'
import { Eye, Play as PlayIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { publicUrl } from '../../api/base.ts'
import { useMay } from '../../api/me.ts'
import type { OnwardError } from '../../api/request.ts'
import { SECRET_VARIABLE, type SnippetLanguage, snippetOf } from '../../parts/code-snippets.ts'
import { requestText } from '../../parts/request-text.ts'
import { Progress } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Choice, Field, Input } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { problemsOf } from './errors.ts'
import { Held, isHeld, RuleLink } from './held.tsx'
import styles from './playground.module.css'
import { ResponseView } from './response-view.tsx'
import type { Form } from './use-form.ts'
import { type Cursor, type Previewed, type Task, useRuns } from './use-run.ts'
import { PLAY } from './words.ts'

type RequestProps = { previewed: Previewed | undefined; running: boolean; args: Readonly<Record<string, unknown>> }

const LANGUAGES = { curl: 'bash', typescript: 'typescript', python: 'python' } as const

const { run: words } = PLAY
type View = keyof typeof words.views

type RunProps = {
  item: FunctionItem
  form: Form
  task: Omit<Task, 'fields'>
  /** The name of the account that the call uses; empty if the app needs none. */
  account: string
  /** Why the function cannot be called now. */
  lacks: string | undefined
}

/** The buttons to preview and run the function, and the result. */
export function Run({ item, form, task: entered, account, lacks }: RunProps): ReactNode {
  const [paths, setPaths] = useState('')
  const task = { ...entered, fields: paths.split(',').flatMap((path) => path.trim() || []) }
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
        <Row gap={2}>
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
        </Row>
      </div>
      <details>
        <summary>{words.fields}</summary>
        <Field label={words.paths} help={words.fieldsHelp} error={pathProblem(shown?.error)} optional>
          <Input
            mono
            spellCheck={false}
            placeholder="items.id, owner.email"
            value={paths}
            onChange={(event) => setPaths(event.target.value)}
          />
        </Field>
      </details>
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

/** Returns what is wrong with the paths of the output. */
function pathProblem(error: OnwardError | undefined): string | undefined {
  return Object.entries(problemsOf(error)).find(([field]) => field.startsWith('_fields'))?.[1]
}

/** The problems are drawn in the next frame. */
function focusProblem(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid]')?.focus())
}

/** The call as a program, with what is entered in the form. */
function CodeView({ task }: { task: Task }): ReactNode {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const { appKey, user, fn, args, accountId, fields } = task
  const text = snippetOf(language, {
    url: publicUrl(),
    appKey,
    userId: user === '' ? PLAY.userExample : user,
    fn,
    args,
    accountId: accountId === '' ? undefined : Number(accountId),
    fields,
  })
  return (
    <div className={styles.stack}>
      <Code
        text={text}
        language={LANGUAGES[language]}
        label={words.code}
        head={
          <Choice
            label={words.language}
            value={language}
            choices={(Object.keys(LANGUAGES) as SnippetLanguage[]).map((value) => ({ value, label: words.languages[value] }))}
            onChange={(value) => setLanguage(value)}
          />
        }
      />
      <p className={styles.note}>{words.codeHelp(SECRET_VARIABLE)}</p>
    </div>
  )
}

type Verdict = NonNullable<Previewed['response']>['policy']

/** What the rules of the application say about the call. */
function VerdictNotice({ task, verdict: { result, message } }: { task: Task; verdict: Verdict }): ReactNode {
  if (result === 'allow') return <p className={styles.note}>{words.verdicts.allow}</p>
  return (
    <Notice tone={result === 'ask' ? 'warn' : 'bad'} title={words.verdicts[result]}>
      {message !== null && <p>{message}</p>}
      <RuleLink task={task} result={result} message={message} />
    </Notice>
  )
}

/** The request that a call would send. */
function RequestView({ previewed, running, args }: RequestProps): ReactNode {
  const old = previewed !== undefined && writeJson(previewed.task.args) !== writeJson(args)
  return (
    <div className={styles.stack} aria-live="polite" aria-busy={running}>
      {running && previewed === undefined && <Progress done={0} label={words.preview} />}
      {!running && previewed === undefined && <Empty title={words.noPreview} help={words.noPreviewHelp} />}
      {old && !running && <Notice tone="info">{words.old}</Notice>}
      {previewed?.response !== undefined && (
        <>
          <Code
            wrap
            label={words.requestTitle}
            text={requestText({ ...previewed.response, headers: previewed.response.headers.map(({ name, value }) => [name, value]) })}
          />
          <p className={styles.note}>{words.notSent}</p>
          <VerdictNotice task={previewed.task} verdict={previewed.response.policy} />
        </>
      )}
      {previewed?.error !== undefined && isHeld(previewed.error) && <Held task={previewed.task} error={previewed.error} />}
      {previewed?.error !== undefined && !isHeld(previewed.error) && (
        <Notice tone="bad" title={words.previewFailed}>
          <p>{previewed.error.message}</p>
          {previewed.error.details.map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}
