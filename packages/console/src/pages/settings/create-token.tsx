import { ROLES, type Role } from '@onward/contract/pure'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { createToken, listSessions } from '../../api/endpoints.ts'
import { useMe, useWorkspace, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { includes } from '../../api/roles.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useDialogInAddress } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { WORDS } from './words.ts'

const { tokens: words } = WORDS

type Made = { readonly name: string; readonly token: string; readonly expiresAt: string }

/** A button that creates a token for a program and shows it once. */
export function CreateToken(): ReactNode {
  const [open, setOpen] = useDialogInAddress('token')
  const [made, setMade] = useState<Made | undefined>(undefined)
  return (
    <>
      <Button icon={<Plus />} onClick={() => setOpen(true)}>
        {words.create}
      </Button>
      {open && (
        <TokenDialog
          onMade={(token) => {
            setMade(token)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {made !== undefined && (
        <SecretOnce
          label={words.made(made.name)}
          load={() => Promise.resolve(made.token)}
          forms={(secret) => secretForms({ ONWARD_TOKEN: secret })}
          onClose={() => setMade(undefined)}
        >
          <p>
            {words.expires} <Time at={made.expiresAt} as="exact" />. {words.use}
          </p>
        </SecretOnce>
      )}
    </>
  )
}

function TokenDialog({ onMade, onClose }: { onMade(token: Made): void; onClose(): void }): ReactNode {
  const workspaceId = useWorkspaceId()
  const { operator } = useMe()
  const workspace = useWorkspace()
  const own = operator ? 'operator' : workspace?.role
  const create = useChange(insights, createToken, { refresh: [listSessions] })
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState('30')
  const submit = async () => {
    const body = { name: name.trim(), role, days: Number(days), ...(role === 'operator' ? {} : { workspace_id: workspaceId }) }
    const response = await create.run({ body })
    if (response !== undefined) onMade({ name: body.name, token: response.token, expiresAt: response.expires_at })
  }
  return (
    <FormDialog title={words.createTitle} action={words.submit} busy={create.running} submit={submit} onClose={onClose}>
      <Field label={words.name} help={words.nameHelp} error={problemOf(create.fields, 'name')}>
        <Input
          required
          maxLength={200}
          autoComplete="off"
          placeholder={words.namePlaceholder}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={words.role} error={problemOf(create.fields, 'role')}>
        <Select
          value={role}
          onChange={(event) => setRole(ROLES.find((one) => one === event.target.value) ?? 'viewer')}
          options={ROLES.filter((one) => includes(own, one)).map((one) => [
            one,
            one === 'operator' ? words.operatorRole : WORDS.roles[one],
          ])}
        />
      </Field>
      <Field label={words.days}>
        <Select value={days} onChange={(event) => setDays(event.target.value)} options={Object.entries(words.lifetimes)} />
      </Field>
      <ChangeError error={create.error} fields={['name', 'role']} />
    </FormDialog>
  )
}
