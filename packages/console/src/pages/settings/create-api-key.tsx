import type { ApiKeyScope } from '@onward/contract'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { createApiKey, getWorkspace } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useDialogInAddress } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Stack } from '../../ui/page.tsx'
import styles from './create-api-key.module.css'
import { WORDS } from './words.ts'

const { workspace: words } = WORDS
const SCOPES = Object.keys(words.scopes) as ApiKeyScope[]

type Made = { readonly name: string; readonly key: string }
type DialogProps = { workspaceId: string; onMade(key: Made): void; onClose(): void }

/** A button that creates an API key and shows it once. */
export function CreateApiKey({ workspaceId, why }: { workspaceId: string; why: string | undefined }): ReactNode {
  const [open, setOpen] = useDialogInAddress('key')
  const [made, setMade] = useState<Made | undefined>(undefined)
  return (
    <>
      <Button icon={<Plus />} why={why} onClick={() => setOpen(true)}>
        {words.create}
      </Button>
      {open && why === undefined && (
        <KeyDialog
          workspaceId={workspaceId}
          onMade={(key) => {
            setMade(key)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {made !== undefined && (
        <SecretOnce
          label={words.newKey(made.name)}
          load={() => Promise.resolve(made.key)}
          forms={(secret) => secretForms({ ONWARD_API_KEY: secret })}
          onClose={() => setMade(undefined)}
        >
          <p>{words.newKeyUse}</p>
        </SecretOnce>
      )}
    </>
  )
}

function KeyDialog({ workspaceId, onMade, onClose }: DialogProps): ReactNode {
  const create = useChange(insights, createApiKey, { refresh: [getWorkspace] })
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>([])
  const [days, setDays] = useState('')
  const submit = async () => {
    const body = { name: name.trim(), scopes: [...scopes], ...(days === '' ? {} : { expires_in_days: Number(days) }) }
    const response = await create.run({ params: { workspace_id: workspaceId }, body })
    if (response !== undefined) onMade({ name: body.name, key: response.partner_api_key })
  }
  const why = scopes.length === 0 ? words.needScope : undefined
  return (
    <FormDialog title={words.createTitle} action={words.submit} busy={create.running} why={why} submit={submit} onClose={onClose}>
      <Field label={words.keyName} help={words.keyNameHelp} error={problemOf(create.fields, 'name')}>
        <Input
          required
          maxLength={200}
          autoComplete="off"
          placeholder={words.keyNamePlaceholder}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <fieldset className={styles.scopes}>
        <legend>{words.keyScopes}</legend>
        <Stack gap={2}>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={words.scopes[scope].name}
              help={words.scopes[scope].help}
              checked={scopes.includes(scope)}
              onChange={({ target }) => setScopes(SCOPES.filter((one) => (one === scope ? target.checked : scopes.includes(one))))}
            />
          ))}
        </Stack>
      </fieldset>
      <Field label={words.validFor}>
        <Select value={days} onChange={(event) => setDays(event.target.value)} options={Object.entries(words.lifetimes)} />
      </Field>
      <ChangeError error={create.error} fields={['name']} />
    </FormDialog>
  )
}
