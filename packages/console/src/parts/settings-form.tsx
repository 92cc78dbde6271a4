import type { FormEvent, ReactNode } from 'react'
import type { OnwardError } from '../api/request.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import type { Draft } from '../ui/draft.ts'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { ChangeError } from './change-error.tsx'
import styles from './settings-form.module.css'

type SettingsFormProps = {
  /** Names the form for screen readers. */
  label: string
  draft: Pick<Draft<never>, 'isChanged' | 'reset'>
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

/** Fields with a button that stores them together. A role that may only read sees them disabled. */
export function SettingsForm({ label, draft, save, running, error, fields, why, children }: SettingsFormProps): ReactNode {
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (why !== undefined || running || !draft.isChanged) return
    if (await save()) draft.reset()
  }
  return (
    <>
      <form aria-label={label} className={styles.form} onSubmit={(event) => void submit(event)}>
        {children}
        <ChangeError error={error} fields={fields} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            tone={draft.isChanged ? 'accent' : 'plain'}
            busy={running}
            why={why ?? (draft.isChanged ? undefined : WORDS.form.unchanged)}
          >
            {WORDS.form.save}
          </Button>
          {draft.isChanged && (
            <Button tone="quiet" onClick={draft.reset}>
              {WORDS.form.discard}
            </Button>
          )}
        </div>
      </form>
      <AskBeforeLeaving when={draft.isChanged} />
    </>
  )
}
