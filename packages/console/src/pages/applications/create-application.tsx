import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications, putApplication, putInsightsApplication } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useDialogInAddress, useGo } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { newEnding, suggestAppKey } from './app-key.ts'
import { WORDS } from './words.ts'

/** An application that was just created. */
export type Made = { readonly appKey: string; readonly name: string; readonly secret: string }

/** An application that functions has stored. The secret is undefined if the application existed before. */
type Stored = Omit<Made, 'secret'> & { readonly secret: string | undefined }

type CreateProps = {
  /** The main action of its page. */
  accent?: boolean
  /** Completes an application that only insights knows. */
  appKey?: string
  /** Its page shows the secret, because this button may go away once the application exists. */
  onMade(made: Made): void
}

/** A button that creates an application. */
export function CreateApplication({ accent = false, appKey, onMade }: CreateProps): ReactNode {
  const { why } = useMay('developer')
  const go = useGo()
  const [open, setOpen] = useDialogInAddress(appKey !== undefined ? 'finish' : accent ? 'new' : 'first')
  const done = (key: string, name: string, secret: string | undefined) => {
    setOpen(false)
    if (secret !== undefined) return onMade({ appKey: key, name, secret })
    toast(WORDS.create.existed)
    go({ page: 'applications', path: encodeURIComponent(key) })
  }
  return (
    <>
      <Button tone={accent ? 'accent' : 'plain'} icon={<Plus />} why={why} onClick={() => setOpen(true)}>
        {appKey === undefined ? WORDS.create.button : WORDS.one.finish}
      </Button>
      {open && why === undefined && <CreateDialog given={appKey} onDone={done} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows the secret of a new application once, and then opens the application. */
export function NewSecret({ made, onClose }: { made: Made | undefined; onClose(): void }): ReactNode {
  const go = useGo()
  const refreshList = useRefreshList()
  if (made === undefined) return null
  const { appKey, name, secret } = made
  return (
    <SecretOnce
      label={WORDS.create.secret(name)}
      load={() => Promise.resolve(secret)}
      forms={(text) => secretForms({ ONWARD_APP_KEY: appKey, ONWARD_APP_SECRET: text })}
      onClose={() => {
        onClose()
        refreshList('applications')
        go({ page: 'applications', path: encodeURIComponent(appKey) })
      }}
    >
      <p>{WORDS.create.usage}</p>
      <Facts facts={[[WORDS.create.appKey, <Id key="id" value={appKey} what={WORDS.create.appKey} full />]]} />
    </SecretOnce>
  )
}

type CreateDialogProps = {
  given: string | undefined
  onDone(appKey: string, name: string, secret: string | undefined): void
  onClose(): void
}

/**
 * Functions comes first, because insights requires its assignment. It returns the secret only once, so closing the dialog shows the secret even
 * if insights has failed.
 */
function CreateDialog({ given, onDone, onClose }: CreateDialogProps): ReactNode {
  const workspaceId = useWorkspaceId()
  const { data } = useRead(functions, listApplications, { query: { workspace_id: workspaceId } })
  const create = useChange(functions, putApplication, { refresh: [listApplications] })
  const assign = useChange(insights, putInsightsApplication, { refresh: [listApplications, listInsightsApplications] })
  const [name, setName] = useState('')
  const [entered, setEntered] = useState(given)
  const [ending] = useState(newEnding)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<Stored | undefined>(undefined)
  const appKey = (entered ?? suggestAppKey(name, ending)).trim()
  const taken = data?.applications.some(({ app_key }) => app_key === appKey) === true && !busy && made === undefined
  const nameProblem = asked && name.trim() === '' ? WORDS.create.required : problemOf(create.fields, 'name')
  const keyProblem = taken ? WORDS.create.taken : (problemOf(assign.fields, 'app_key') ?? problemOf(create.fields, 'app_key'))
  const store = async () => {
    const params = { app_key: appKey }
    const created = await create.run({ params, body: { workspace_id: workspaceId, name: name.trim() } })
    if (created === undefined) return
    const secret = created.app_secret ?? made?.secret
    setEntered(appKey)
    setMade({ appKey, name: name.trim(), secret })
    const assigned = await assign.run({ params, body: { workspace_id: workspaceId, assignment: created.assignment } })
    if (assigned !== undefined) onDone(appKey, name.trim(), secret)
  }
  const submit = async () => {
    setAsked(true)
    if (name.trim() === '' || appKey === '' || taken) return
    setBusy(true)
    await store().finally(() => setBusy(false))
  }
  const close = () => {
    // The requests may return a secret that must be shown.
    if (busy) return
    if (made?.secret === undefined) onClose()
    else onDone(made.appKey, made.name, made.secret)
  }
  return (
    <FormDialog title={WORDS.create.title} action={WORDS.create.submit} busy={busy} submit={submit} onClose={close}>
      <Field label={WORDS.create.name} error={nameProblem}>
        <Input
          maxLength={200}
          autoComplete="off"
          placeholder={WORDS.create.namePlaceholder}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={WORDS.create.appKey} help={WORDS.create.appKeyHelp} error={keyProblem}>
        <Input
          mono
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          readOnly={given !== undefined || made !== undefined}
          value={appKey}
          onChange={(event) => setEntered(event.target.value)}
        />
      </Field>
      <ChangeError error={create.error ?? assign.error} fields={['name', 'app_key']} />
    </FormDialog>
  )
}
