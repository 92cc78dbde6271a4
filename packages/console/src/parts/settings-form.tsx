import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useMay } from '../api/me.ts'
import type { OnwardError } from '../api/request.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import type { Draft } from '../ui/draft.ts'
import { Notice } from '../ui/empty.tsx'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { ChangeError } from './change-error.tsx'
import { Clashes } from './clashes.tsx'
import styles from './settings-form.module.css'

type SettingsFormProps = {
  /** Names the form for screen readers. */
  label: string
  draft: Pick<Draft<never>, 'isChanged' | 'clashes' | 'keep' | 'reset'>
  /** The labels of the fields, to name those that somebody else has changed. */
  labels: Readonly<Record<string, string>>
  /** Stores the changes. Resolves to false if they were refused. */
  save(): Promise<boolean>
  running: boolean
  error: OnwardError | undefined
  /** Fields that show their own problems. */
  fields: readonly string[]
  /** Why the role may not change the settings. */
  why: string | undefined
  children: ReactNode
}

/** Fields that are stored together, with the buttons for it once one has changed. A role that may only read sees them disabled. */
export function SettingsForm({ label, labels, draft, save, running, error, fields, why, children }: SettingsFormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const ofPage = useMay('developer').why
  /** The error before the last choice, which the choice has answered. */
  const [answered, setAnswered] = useState<OnwardError | undefined>(undefined)
  const clashes = running ? [] : draft.clashes
  const choose = clashes.length > 0 ? WORDS.form.clash.choose : undefined
  const blocked = why ?? choose
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (blocked !== undefined || running || !draft.isChanged) return
    if (!(await save())) return
    // The button that has the focus is going away.
    if (document.activeElement === saveButton.current) form.current?.focus()
    draft.reset()
  }
  const after = (choice: () => void) => () => {
    choice()
    setAnswered(error)
    form.current?.focus()
  }
  return (
    <>
      <form ref={form} tabIndex={-1} aria-label={label} className={styles.form} onSubmit={(event) => void submit(event)}>
        {/* The page itself says that it needs a developer. */}
        {why !== ofPage && <Notice tone="info">{why}</Notice>}
        {children}
        <Clashes clashes={clashes} labels={labels} keep={after(draft.keep)} reset={after(draft.reset)} />
        {choose === undefined && <ChangeError error={error === answered ? undefined : error} fields={fields} />}
        {draft.isChanged && (
          <div className={styles.buttons}>
            <Button ref={saveButton} type="submit" tone="accent" busy={running} why={blocked}>
              {WORDS.form.save}
            </Button>
            <Button tone="quiet" onClick={after(draft.reset)}>
              {WORDS.form.discard}
            </Button>
          </div>
        )}
      </form>
      <AskBeforeLeaving when={draft.isChanged} />
    </>
  )
}
