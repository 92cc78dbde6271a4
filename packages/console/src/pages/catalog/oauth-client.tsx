import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { deleteOAuthClient, listOAuthClients, readCatalogApp } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './catalog.module.css'
import { OAuthClientForm } from './oauth-client-form.tsx'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { signIn: words } = CATALOG

/** The OAuth client that an application has for an app. Its secret is never shown. */
export function OAuthClient({ app, appKey, application }: { app: AppDetail; appKey: string; application: string }): ReactNode {
  const [editing, setEditing] = useState(false)
  const { why } = useMay('developer')
  const remove = useChange(functions, deleteOAuthClient, { done: words.deleted, refresh: [readCatalogApp, listOAuthClients] })
  const { oauth_client: client } = app
  const accounts = formatCount(app.connected_accounts, words.accounts.one, words.accounts.other)
  return (
    <>
      {client === null ? (
        <Card>
          <Empty
            icon={<KeyRound />}
            title={words.none}
            help={words.noneHelp}
            action={
              <Button tone="accent" why={why} onClick={() => setEditing(true)}>
                {words.enter}
              </Button>
            }
          />
        </Card>
      ) : (
        <Card>
          <Facts
            facts={[
              [words.clientId, <code key="id">{client.client_id}</code>],
              [
                words.secret,
                <span key="secret" className={styles.muted}>
                  {words.secretHelp}
                </span>,
              ],
              [words.storedAt, <Time key="time" at={client.modified_at} />],
            ]}
          />
          <div className={styles.clientButtons}>
            <DangerButton
              why={why}
              title={words.deleteTitle}
              names={words.deleteNames(app.title, application)}
              loses={app.connected_accounts > 0 ? [words.deleteLoses(accounts)] : []}
              action={words.delete}
              error={remove.error?.message}
              run={async () => (await remove.run({ params: { app_key: appKey, app: app.name } })) !== undefined}
            />
            <Button why={why} onClick={() => setEditing(true)}>
              {words.change}
            </Button>
          </div>
        </Card>
      )}
      {editing && <OAuthClientForm app={app} appKey={appKey} onClose={() => setEditing(false)} />}
    </>
  )
}
