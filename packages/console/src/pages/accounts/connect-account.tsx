import type { openConnectSession as Connect, ResponseOf } from '@onward/contract'
import { useSearch } from '@tanstack/react-router'
import { PlugZap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import { listCatalog, openConnectSession } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useApplicationField } from '../../parts/application-field.tsx'
import type { ApplicationName } from '../../parts/application-list.tsx'
import { ChangeError } from '../../parts/change-error.tsx'
import { useDialogInAddress } from '../../shell/links.tsx'
import { WORDS as SHARED } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ConnectLink } from './connect-link.tsx'
import { WORDS } from './words.ts'

const { connect: words } = WORDS
/** Browsers remove these from addresses, so that no user can have them as id. */
const NO_USERS = ['', '.', '..']

type ConnectAccountProps = { applications: readonly ApplicationName[] }

/** Makes a link with which a user of an application connects an account of an app. */
export function ConnectAccount({ applications }: ConnectAccountProps): ReactNode {
  const [open, setOpen] = useDialogInAddress('connect')
  const refreshList = useRefreshList()
  const { why } = useMay('developer')
  const close = () => {
    setOpen(false)
    refreshList('accounts')
  }
  return (
    <>
      <Button tone="accent" icon={<PlugZap />} why={why} onClick={() => setOpen(true)}>
        {words.button}
      </Button>
      {open && why === undefined && <ConnectDialog applications={applications} onClose={close} />}
    </>
  )
}

function ConnectDialog({ applications, onClose }: ConnectAccountProps & { onClose(): void }): ReactNode {
  const { appKey, field } = useApplicationField(applications)
  const [user, setUser] = useState('')
  const { app: wanted } = useSearch({ strict: false }) as { app?: unknown }
  const [chosen, setApp] = useState(typeof wanted === 'string' ? wanted : '')
  const [link, setLink] = useState<ResponseOf<typeof Connect> | undefined>(undefined)
  const { data } = useRead(functions, listCatalog, { query: { workspace_id: useWorkspaceId() } })
  const apps = (data?.apps ?? []).filter(({ auth }) => auth.some((type) => type !== 'none'))
  const app = apps.find(({ name }) => name === chosen)?.name ?? (apps.length === 1 ? apps[0]?.name : undefined) ?? ''
  const userId = user.trim()
  const change = useChange(areaA(appKey, userId), openConnectSession, { refresh: [] })
  if (link !== undefined) {
    const done = (
      <Button tone="accent" onClick={onClose}>
        {words.done}
      </Button>
    )
    return (
      <Dialog open title={words.title} onClose={onClose} footer={done}>
        <ConnectLink appKey={appKey} label={words.label(userId)} {...link} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={words.title}
      action={words.make}
      busy={change.running}
      why={
        appKey === '' ? SHARED.applications.choose : NO_USERS.includes(userId) ? words.needsUser : app === '' ? words.needsApp : undefined
      }
      submit={async () => setLink(await change.run({ body: { app } }))}
      onClose={onClose}
    >
      <p>{words.about}</p>
      {field}
      <Field label={WORDS.list.user} help={words.userHelp}>
        <Input value={user} placeholder={WORDS.list.userPlaceholder} onChange={(event) => setUser(event.target.value)} />
      </Field>
      <Field label={WORDS.list.app}>
        <Select
          value={app}
          unchosen={words.needsApp}
          onChange={(event) => setApp(event.target.value)}
          options={apps.map(({ name, title }) => [name, title])}
        />
      </Field>
      <ChangeError error={change.error} />
    </FormDialog>
  )
}
