import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { BASE_PATH } from '../api/base.ts'
import { useReadMe } from '../api/me.ts'
import { isTransient, OnwardError } from '../api/request.ts'
import { type Preview, previewLink, redeem } from '../api/send.ts'
import { codeOf, setSignInCode, useSignInCode } from '../api/sign-in-code.ts'
import { singleSignOnUrl, useSignInMethods } from '../api/sign-in-methods.ts'
import { useSignedOut } from '../api/signed-out.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Button, buttonClass, type Tone } from '../ui/button.tsx'
import { Copy } from '../ui/copy-button.tsx'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './sign-in.module.css'

const WORDS = SHELL_WORDS.signIn

/** A whole page for signing in. Without `onDone`, the page of the address appears afterwards. */
export function SignInScreen({ onDone }: { onDone?: () => void }): ReactNode {
  const client = useQueryClient()
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <img src={`${BASE_PATH}icon.svg`} alt="" width={40} height={40} />
        <h1>{WORDS.title}</h1>
        <SignInForm onDone={onDone ?? (() => void client.resetQueries())} />
      </div>
    </main>
  )
}

/** Opens over the page when the session ends, so that nothing typed is lost. It closes with the first request that succeeds. */
export function SignInDialog(): ReactNode {
  const open = useSignedOut()
  const client = useQueryClient()
  const { refetch, isFetching } = useReadMe()
  const [stillOut, setStillOut] = useState(false)
  const goOn = async () => {
    const { isError } = await refetch()
    setStillOut(isError)
    if (!isError) await client.invalidateQueries()
  }
  return (
    <Dialog open={open} title={WORDS.endedTitle} onClose={() => {}}>
      <div className={styles.form}>
        <p>{WORDS.ended}</p>
        <SignInForm onDone={() => void goOn()} inNewTab />
        <Button busy={isFetching} onClick={() => void goOn()}>
          {WORDS.elsewhere}
        </Button>
        {stillOut && <Notice tone="warn" title={WORDS.stillOut} />}
      </div>
    </Dialog>
  )
}

type FormProps = {
  onDone(): void
  /** Single sign-on opens in a new tab, so that the page stays as it is. */
  inNewTab?: boolean
}

/** Offers single sign-on first, if it is configured. Somebody who opened a one-time link wants to use that. */
function SignInForm({ onDone, inNewTab = false }: FormProps): ReactNode {
  const opened = useSignInCode()
  // Here, because the form is drawn anew when the code of a link is forgotten.
  const [problem, setProblem] = useState<string>()
  const { data, isLoading } = useSignInMethods(opened === undefined)
  // In the dialog, the field exists at once, because the dialog moves the focus to it.
  if (isLoading && !inNewTab) return <Skeleton />
  const singleSignOn = opened === undefined ? data?.single_sign_on : undefined
  return (
    <div className={styles.form}>
      {singleSignOn && (
        <>
          <a
            className={cx(buttonClass('accent'), styles.provider)}
            href={singleSignOnUrl()}
            {...(inNewTab ? { target: '_blank', rel: 'noopener' } : {})}
          >
            {singleSignOn.label}
            {inNewTab && <span className="hidden"> {WORDS.newTab}</span>}
          </a>
          <p className={styles.or}>{WORDS.or}</p>
        </>
      )}
      {opened === undefined ? (
        <PasteForm problem={problem} onProblem={setProblem} tone={singleSignOn ? 'plain' : 'accent'} />
      ) : (
        <LinkForm key={opened} code={opened} problem={problem} onProblem={setProblem} onDone={onDone} />
      )}
    </div>
  )
}

type ProblemProps = {
  /** Why the last try failed. */
  problem: string | undefined
  onProblem(problem: string | undefined): void
}

/**
 * Says whom a one-time link signs in and who is signed in now, so that nobody works in the workspace of somebody else by a link that they
 * were sent. Only the press of the button uses the link up.
 */
function LinkForm({ code, problem, onProblem, onDone }: ProblemProps & Pick<FormProps, 'onDone'> & { code: string }): ReactNode {
  const [busy, setBusy] = useState(false)
  const { data, error, isFetching, refetch } = useQuery<Preview, OnwardError>({
    queryKey: ['sign-in-link', code],
    queryFn: ({ signal }) => previewLink(code, signal),
    gcTime: 0,
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    onProblem(undefined)
    try {
      await redeem(code)
      setSignInCode(undefined)
      onDone()
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      onProblem(err.message)
      if (!isTransient(err)) setSignInCode(undefined)
    } finally {
      setBusy(false)
    }
  }
  if (error !== null && !isTransient(error)) return <PasteForm problem={problem ?? error.message} onProblem={onProblem} tone="accent" />
  if (error !== null) {
    return (
      <>
        <Notice tone="bad" title={error.message} />
        <Button busy={isFetching} onClick={() => void refetch()}>
          {WORDS.again}
        </Button>
      </>
    )
  }
  if (data === undefined) return <Skeleton />
  const other = data.signed_in
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <p>{WORDS.withLink}</p>
      <dl className={styles.facts}>
        <dt>{WORDS.signsIn}</dt>
        <dd>{data.email}</dd>
        <dt>{SHELL_WORDS.workspace}</dt>
        <dd>{data.workspace?.name ?? WORDS.allWorkspaces}</dd>
      </dl>
      {other && (
        <Notice tone="warn" title={WORDS.signedIn(other.email)}>
          {WORDS.replaces}
        </Notice>
      )}
      {problem && <Notice tone="bad" title={problem} />}
      <Button type="submit" tone={other ? 'plain' : 'accent'} busy={busy} icon={<LogIn />}>
        {other ? WORDS.replace(data.email) : WORDS.button}
      </Button>
      {other && (
        <a className={buttonClass('accent')} href={BASE_PATH}>
          {WORDS.stay(other.email)}
        </a>
      )}
    </form>
  )
}

/** Takes a one-time link as text. What it does is shown before it is used. */
function PasteForm({ problem, onProblem, tone }: ProblemProps & { tone: Tone }): ReactNode {
  const [pasted, setPasted] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = codeOf(pasted)
    onProblem(code === undefined ? WORDS.notALink : undefined)
    if (code !== undefined) setSignInCode(code)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label={WORDS.paste} help={WORDS.pasteHelp} error={problem}>
        <Input
          mono
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
      </Field>
      <Button type="submit" tone={tone}>
        {WORDS.goOn}
      </Button>
      <details className={styles.how}>
        <summary>{WORDS.how}</summary>
        <p>{WORDS.howHelp}</p>
        <p className={styles.command}>
          <code>{WORDS.command}</code>
          <Copy text={WORDS.command} what={WORDS.how} />
        </p>
      </details>
    </form>
  )
}
